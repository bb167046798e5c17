// SPDX-License-Identifier: Apache-2.0
/*
 * Acts as a member of the helper's group, for tests in environments without other programs.
 *
 *   member as NUMBER PROGRAM...   becomes that user, only in the group of the same number, and runs the program
 *   member maps PIN...            tries to open each pin, and every map by its number, and to freeze those that it opens;
 *                                 exits with 0 if it could open none
 *   member request SOCKET          sends the lines of standard input to the helper and prints the replies
 */
#define _GNU_SOURCE
#include <grp.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define MAX_MAPS 1000
#define MAX_ATTEMPTS 15

static int bpf(int command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

/* A process that has the map can freeze it; then nothing can be registered any more. */
static int misuse(int map, const char *name)
{
	union bpf_attr attributes = { .map_fd = map };

	if (map < 0)
		return 0;
	printf("%s was opened, and is %s\n", name, bpf(BPF_MAP_FREEZE, &attributes) ? "not frozen" : "frozen");
	close(map);
	return 1;
}

static int maps(char **pins)
{
	int achieved = 0, tried = 0;
	char name[64];

	for (; *pins; pins++, tried++)
		for (unsigned flags = 0; flags <= BPF_F_WRONLY; flags += BPF_F_RDONLY) {
			union bpf_attr attributes = { .pathname = (uintptr_t)*pins, .file_flags = flags };

			achieved += misuse(bpf(BPF_OBJ_GET, &attributes), *pins);
		}
	for (unsigned id = 1; id <= MAX_MAPS; id++, tried++) {
		union bpf_attr attributes = { .map_id = id };

		snprintf(name, sizeof(name), "map %u", id);
		achieved += misuse(bpf(BPF_MAP_GET_FD_BY_ID, &attributes), name);
	}
	printf("%d tried, %d opened\n", tried, achieved);
	return achieved ? 1 : 0;
}

static FILE *connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror(path);
		return NULL;
	}
	return fdopen(fd, "r");
}

/*
 * Like a NodeManager, asks again a second later if the helper refused it and says so: systemd may not have told the
 * helper yet which process is the service's main process.
 */
static int request(const char *path)
{
	char *line = NULL, *answer = NULL;
	size_t size = 0, room = 0;
	FILE *stream = connect_to(path);

	while (stream && getline(&line, &size, stdin) > 0) {
		for (int attempt = 0; attempt < MAX_ATTEMPTS && stream; attempt++) {
			if (dprintf(fileno(stream), "%s", line) < 0 || getline(&answer, &room, stream) < 0) {
				printf("disconnected\n");
				return 1;
			}
			if (!strstr(answer, "try again in a second"))
				break;
			fclose(stream);
			sleep(1);
			stream = connect_to(path);
		}
		fputs(answer, stdout);
		fflush(stdout);
	}
	return stream ? 0 : 2;
}

static int become(const char *number, char **program)
{
	unsigned id = atoi(number);

	if (setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id)) {
		perror("cannot become another user");
		return 2;
	}
	execvp(*program, program);
	perror(*program);
	return 127;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "as"))
		return become(argv[2], argv + 3);
	if (argc > 2 && !strcmp(argv[1], "maps"))
		return maps(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "request"))
		return request(argv[2]);
	fprintf(stderr, "usage: member as NUMBER PROGRAM... | member maps PIN... | member request SOCKET\n");
	return 2;
}
