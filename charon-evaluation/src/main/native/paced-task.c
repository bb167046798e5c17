/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 *
 * A best-effort task of "charon demo": reads text at the speed of a shared
 * disk, holds it, sorts, searches or joins it, and writes what came out.
 *
 * paced-task KIND DIRECTORY FILES FIRST COUNT BYTES_PER_SECOND RESULT [WORD]
 *
 * It reads COUNT of the files part-000.txt, part-001.txt ... of DIRECTORY,
 * from number FIRST on and round FILES. All its memory is touched at once, as
 * by a program with a sort buffer. WORD is not looked at: it names the
 * container on the command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (1 << 20)
#define FNV_OFFSET 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

struct order {
	const char *directory;
	uint64_t files;
	uint64_t first;
	uint64_t count;
	double rate;
	const char *result;
};

struct text {
	char *bytes;
	size_t size;
	size_t lines;
};

/* A line; most are told apart by the first bytes of their keys. */
struct line {
	uint64_t prefix;
	uint32_t start;
	uint32_t length;
};

struct slot {
	uint64_t hash;
	uint32_t start;
	uint32_t length;
};

struct result {
	uint64_t records;
	uint64_t hash;
};

__attribute__((format(printf, 1, 2), noreturn))
static void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("paced-task: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

static void *memory(size_t size)
{
	void *start = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (start == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	return start;
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		die("not a number: %s", text);
	return value;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) +
	       (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* A shared disk would not have delivered more than this by now. */
static void pace(const struct timespec *start, size_t read, double rate)
{
	double wait = (double)read / rate - seconds_since(start);
	struct timespec pause;

	if (wait <= 0)
		return;
	pause.tv_sec = (time_t)wait;
	pause.tv_nsec = (long)((wait - (double)pause.tv_sec) * 1e9);
	while (nanosleep(&pause, &pause) && errno == EINTR)
		;
}

/* Opens the part that is read after others; tells its size. */
static int open_part(const struct order *order, uint64_t after, size_t *size)
{
	uint64_t part = (order->first + after) % order->files;
	char path[4096];
	struct stat status;
	int file;

	snprintf(path, sizeof(path), "%s/part-%03llu.txt", order->directory,
		 (unsigned long long)part);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &status))
		die("%s: %s", path, strerror(errno));
	*size = (size_t)status.st_size;
	return file;
}

static size_t size_of(const struct order *order)
{
	size_t total = 0;
	size_t size;

	for (uint64_t i = 0; i < order->count; i++) {
		close(open_part(order, i, &size));
		total += size;
	}
	if (total > UINT32_MAX)
		die("more than 4 GiB of text");
	return total;
}

static struct text read_text(const struct order *order, size_t size)
{
	struct text text = { .bytes = memory(size) };
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; i < order->count; i++) {
		size_t left;
		int file = open_part(order, i, &left);

		if (left > size - text.size)
			die("the input grows while it is read");
		while (left > 0) {
			ssize_t part = read(file, text.bytes + text.size,
					    left < CHUNK ? left : CHUNK);

			if (part <= 0)
				die("the input cannot be read");
			text.size += (size_t)part;
			left -= (size_t)part;
			pace(&start, text.size, order->rate);
		}
		close(file);
	}
	for (size_t i = 0; i < text.size; i++)
		text.lines += text.bytes[i] == '\n';
	return text;
}

/* FNV-1a of a line and its end, on top of what came before. */
static uint64_t fnv1a(uint64_t hash, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * FNV_PRIME;
	return (hash ^ '\n') * FNV_PRIME;
}

static size_t line_length(const struct text *text, size_t start)
{
	const char *end = memchr(text->bytes + start, '\n', text->size - start);

	return end ? (size_t)(end - text->bytes) - start : text->size - start;
}

static size_t blanks(const char *bytes, size_t length)
{
	size_t count = 0;

	while (count < length && (bytes[count] == ' ' || bytes[count] == '\t'))
		count++;
	return count;
}

static int compare_bytes(const char *left, size_t left_length,
			 const char *right, size_t right_length)
{
	size_t shorter = left_length < right_length ? left_length :
						      right_length;
	int order = memcmp(left, right, shorter);

	if (order)
		return order;
	return (left_length > right_length) - (left_length < right_length);
}

/* By the key, which is the line without leading blanks, then by the line. */
static int compare(const struct text *text, const struct line *left,
		   const struct line *right)
{
	const char *left_line = text->bytes + left->start;
	const char *right_line = text->bytes + right->start;
	size_t left_blanks;
	size_t right_blanks;
	int order;

	if (left->prefix != right->prefix)
		return left->prefix < right->prefix ? -1 : 1;
	left_blanks = blanks(left_line, left->length);
	right_blanks = blanks(right_line, right->length);
	order = compare_bytes(left_line + left_blanks,
			      left->length - left_blanks,
			      right_line + right_blanks,
			      right->length - right_blanks);
	return order ? order :
		       compare_bytes(left_line, left->length, right_line,
				     right->length);
}

/* Merge sort; returns which of the two arrays holds the result. */
static struct line *sort_lines(const struct text *text, struct line *lines,
			       struct line *other)
{
	for (size_t width = 1; width < text->lines; width *= 2) {
		struct line *swap;

		for (size_t low = 0; low < text->lines; low += 2 * width) {
			size_t middle = low + width < text->lines ?
						low + width : text->lines;
			size_t high = middle + width < text->lines ?
						middle + width : text->lines;
			size_t left = low;
			size_t right = middle;

			for (size_t i = low; i < high; i++) {
				if (left < middle &&
				    (right == high ||
				     compare(text, &lines[left],
					     &lines[right]) <= 0))
					other[i] = lines[left++];
				else
					other[i] = lines[right++];
			}
		}
		swap = lines;
		lines = other;
		other = swap;
	}
	return lines;
}

static uint64_t prefix(const char *bytes, size_t length)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 8; i++)
		value = value << 8 | (i < length ? (unsigned char)bytes[i] : 0);
	return value;
}

/* The lines in order, as "sort -b" orders bytes; the sum is over all of them. */
static struct result sort(const struct text *text, struct line *lines,
			  struct line *other, char *output)
{
	struct result result = { .records = text->lines, .hash = FNV_OFFSET };
	struct line *sorted;
	size_t start = 0;
	size_t written = 0;

	for (size_t i = 0; i < text->lines; i++) {
		size_t length = line_length(text, start);
		size_t skipped = blanks(text->bytes + start, length);

		lines[i] = (struct line){
			.prefix = prefix(text->bytes + start + skipped,
					 length - skipped),
			.start = (uint32_t)start,
			.length = (uint32_t)length,
		};
		start += length + 1;
	}
	sorted = sort_lines(text, lines, other);
	for (size_t i = 0; i < text->lines; i++) {
		memcpy(output + written, text->bytes + sorted[i].start,
		       sorted[i].length);
		result.hash = fnv1a(result.hash, output + written,
				    sorted[i].length);
		written += sorted[i].length;
		output[written++] = '\n';
	}
	return result;
}

/* Lines with the word, in their order. */
static struct result grep(const struct text *text)
{
	static const char word[] = "Exception";
	struct result result = { .hash = FNV_OFFSET };
	const char *end = text->bytes + text->size;
	const char *from = text->bytes;
	const char *match;

	while ((match = memmem(from, (size_t)(end - from), word,
			       sizeof(word) - 1))) {
		const char *line = memrchr(text->bytes, '\n',
					   (size_t)(match - text->bytes));
		size_t start = line ? (size_t)(line + 1 - text->bytes) : 0;
		size_t length = line_length(text, start);

		result.records++;
		result.hash = fnv1a(result.hash, text->bytes + start, length);
		from = text->bytes + start + length;
	}
	return result;
}

static size_t slots_for(size_t lines)
{
	size_t slots = 1024;

	while (slots < lines + lines / 2)
		slots *= 2;
	return slots;
}

static struct slot *find(const struct text *text, struct slot *table,
			 size_t slots, uint64_t hash, size_t start,
			 size_t length)
{
	size_t i = hash & (slots - 1);

	while (table[i].hash &&
	       (table[i].hash != hash || table[i].length != length ||
		memcmp(text->bytes + table[i].start, text->bytes + start,
		       length) != 0))
		i = (i + 1) & (slots - 1);
	return &table[i];
}

/* Lines of the second half of the text that also stand in its first half. */
static struct result join(const struct text *text, struct slot *table,
			  size_t slots)
{
	struct result result = { 0 };
	size_t start = 0;

	for (size_t i = 0; i < text->lines; i++) {
		size_t length = line_length(text, start);
		uint64_t hash = fnv1a(FNV_OFFSET, text->bytes + start, length);
		struct slot *slot = find(text, table, slots, hash, start,
					 length);

		if (i < text->lines / 2) {
			*slot = (struct slot){
				.hash = hash,
				.start = (uint32_t)start,
				.length = (uint32_t)length,
			};
		} else if (slot->hash) {
			result.records++;
			result.hash += hash;
		}
		start += length + 1;
	}
	return result;
}

static void write_result(const struct order *order, const char *kind,
			 const struct text *text, struct result result)
{
	char unfinished[4096];
	struct timespec now;
	struct timespec used;
	FILE *file;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	snprintf(unfinished, sizeof(unfinished), "%s.%ld",
		 order->result, (long)getpid());
	file = fopen(unfinished, "w");
	if (!file)
		die("%s: %s", unfinished, strerror(errno));
	fprintf(file, "%s %zu %llu %016llx %lld %lld\n", kind, text->size,
		(unsigned long long)result.records,
		(unsigned long long)result.hash,
		(long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
		(long long)used.tv_sec * 1000 + used.tv_nsec / 1000000);
	/* Whoever sees the name sees the whole result. */
	if (fclose(file) || rename(unfinished, order->result))
		die("%s: %s", order->result, strerror(errno));
}

/* Room is taken before the text is read; text of short lines needs more. */
static void run_sort(const struct order *order)
{
	size_t size = size_of(order);
	size_t room = size / 32;
	struct line *lines = memory(room * sizeof(*lines));
	struct line *other = memory(room * sizeof(*other));
	char *output = memory(size);
	struct text text = read_text(order, size);

	if (text.lines > room) {
		lines = memory(text.lines * sizeof(*lines));
		other = memory(text.lines * sizeof(*other));
	}
	write_result(order, "sort", &text, sort(&text, lines, other, output));
}

static void run_grep(const struct order *order)
{
	struct text text = read_text(order, size_of(order));

	write_result(order, "grep", &text, grep(&text));
}

static void run_join(const struct order *order)
{
	size_t size = size_of(order);
	size_t slots = slots_for(size / 80);
	struct slot *table = memory(slots * sizeof(*table));
	struct text text = read_text(order, size);

	if (slots < slots_for(text.lines / 2)) {
		slots = slots_for(text.lines / 2);
		table = memory(slots * sizeof(*table));
	}
	write_result(order, "join", &text, join(&text, table, slots));
}

int main(int argc, char **argv)
{
	struct order order;

	if (argc < 8)
		die("usage: KIND DIRECTORY FILES FIRST COUNT BYTES_PER_SECOND RESULT [WORD]");
	order = (struct order){
		.directory = argv[2],
		.files = number(argv[3]),
		.first = number(argv[4]),
		.count = number(argv[5]),
		.rate = (double)number(argv[6]),
		.result = argv[7],
	};
	if (order.files < 1 || order.rate < 1)
		die("FILES and BYTES_PER_SECOND must be at least 1");
	if (strcmp(argv[1], "sort") == 0)
		run_sort(&order);
	else if (strcmp(argv[1], "grep") == 0)
		run_grep(&order);
	else if (strcmp(argv[1], "join") == 0)
		run_join(&order);
	else
		die("unknown kind %s", argv[1]);
	return 0;
}
