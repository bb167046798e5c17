/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 *
 * A best-effort task of "charon demo": reads text at the speed of a shared
 * disk, keeps it in memory, sorts, searches or joins it, and writes the result.
 *
 * paced-task KIND DIRECTORY FILES FIRST COUNT BYTES_PER_SECOND RESULT [WORD]
 *
 * It reads COUNT of the FILES files part-000.txt, part-001.txt ... of DIRECTORY,
 * beginning with number FIRST and wrapping around. It touches all its memory at
 * the start, like a program with a sort buffer. WORD is ignored: it makes the
 * container visible on the command line.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (1 << 20)
#define HASH_START 0xcbf29ce484222325ULL
#define HASH_FACTOR 0x9e3779b97f4a7c15ULL

/* Fewer lines are sorted faster by comparison, and keys are seldom longer. */
#define FEW_LINES 32
#define LONG_KEY 256

/* Lines that are read out of order are prefetched this many lines ahead. */
#define AHEAD 16

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
	/* Whether a zero byte may be part of a line, not only its end. */
	bool zeros;
};

/*
 * Start and end of a line's key, and the bytes of the key by which it is
 * currently sorted. Only blanks precede the key.
 */
struct line {
	uint64_t prefix;
	uint32_t key;
	uint32_t end;
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

/* Waits until a shared disk would have delivered this many bytes. */
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

/* Opens the part that follows the given number of parts, and returns its size. */
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
	text.zeros = memchr(text.bytes, 0, text.size);
	return text;
}

static uint64_t mix(uint64_t hash, const char bytes[8])
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	hash = (hash ^ le64toh(word)) * HASH_FACTOR;
	return hash ^ hash >> 32;
}

/* Adds a line and its end to a checksum, eight bytes at a time. */
static uint64_t hash_line(uint64_t hash, const char *bytes, size_t length)
{
	char last[8] = { 0 };
	size_t whole = length / 8 * 8;

	for (size_t i = 0; i < whole; i += 8)
		hash = mix(hash, bytes + i);
	memcpy(last, bytes + whole, length - whole);
	last[length - whole] = '\n';
	return mix(hash, last);
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

/* Returns the start of the line that holds a key. */
static size_t line_start(const struct text *text, size_t key)
{
	while (key > 0 && (text->bytes[key - 1] == ' ' ||
			   text->bytes[key - 1] == '\t'))
		key--;
	return key;
}

/* Compares by the key, which is the line without leading blanks, then by the line. */
static int compare(const struct text *text, const struct line *left,
		   const struct line *right)
{
	size_t left_start;
	size_t right_start;
	int order = compare_bytes(text->bytes + left->key,
				  left->end - left->key,
				  text->bytes + right->key,
				  right->end - right->key);

	if (order)
		return order;
	left_start = line_start(text, left->key);
	right_start = line_start(text, right->key);
	return compare_bytes(text->bytes + left_start, left->end - left_start,
			     text->bytes + right_start,
			     right->end - right_start);
}

static uint64_t prefix(const char *bytes, size_t length)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 8; i++)
		value = value << 8 | (i < length ? (unsigned char)bytes[i] : 0);
	return value;
}

/* Merge sort by comparison, for few lines. The other array is scratch space. */
static void merge_sort(const struct text *text, struct line *lines,
		       struct line *other, size_t count)
{
	struct line *from = lines;
	struct line *to = other;

	for (size_t width = 1; width < count; width *= 2) {
		struct line *swap = from;

		for (size_t low = 0; low < count; low += 2 * width) {
			size_t middle = low + width < count ? low + width :
							      count;
			size_t high = middle + width < count ? middle + width :
							       count;
			size_t left = low;
			size_t right = middle;

			/* Most of these are repetitions of one line. */
			if (middle < high &&
			    compare(text, &from[middle - 1],
				    &from[middle]) <= 0) {
				memcpy(to + low, from + low,
				       (high - low) * sizeof(*to));
				continue;
			}
			for (size_t i = low; i < high; i++) {
				if (left < middle &&
				    (right == high ||
				     compare(text, &from[left],
					     &from[right]) <= 0))
					to[i] = from[left++];
				else
					to[i] = from[right++];
			}
		}
		from = to;
		to = swap;
	}
	if (from != lines)
		memcpy(lines, from, count * sizeof(*lines));
}

/* Stable radix sort by prefix, beginning with the last byte. */
static void radix_sort(struct line *lines, struct line *other, size_t count)
{
	static size_t counts[8][256];
	struct line *from = lines;
	struct line *to = other;

	memset(counts, 0, sizeof(counts));
	for (size_t i = 0; i < count; i++)
		for (int byte = 0; byte < 8; byte++)
			counts[byte][lines[i].prefix >> 8 * byte & 0xff]++;
	for (int byte = 0; byte < 8; byte++) {
		size_t *place = counts[byte];
		struct line *swap = from;
		size_t sum = 0;

		/* All lines have the same byte here, as lines with a common beginning do. */
		if (place[from[0].prefix >> 8 * byte & 0xff] == count)
			continue;
		for (int value = 0; value < 256; value++) {
			size_t here = place[value];

			place[value] = sum;
			sum += here;
		}
		for (size_t i = 0; i < count; i++)
			to[place[from[i].prefix >> 8 * byte & 0xff]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != lines)
		memcpy(lines, from, count * sizeof(*lines));
}

static bool has_zero_byte(uint64_t value)
{
	return (value - 0x0101010101010101ULL) & ~value & 0x8080808080808080ULL;
}

/*
 * Sorts lines whose keys, or whole texts, begin with the same bytes: by the next
 * eight bytes, then recursively those that agree in these. Lines with the same
 * key are ordered by the whole line. This takes half of the processor time of
 * comparing lines; the task is meant to need memory, not processor time.
 */
static void sort_lines(const struct text *text, struct line *lines,
		       struct line *other, size_t count, size_t common,
		       bool whole)
{
	size_t end;

	if (count < FEW_LINES || common >= LONG_KEY) {
		merge_sort(text, lines, other, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t from = lines[i].key;

		if (i + AHEAD < count)
			__builtin_prefetch(text->bytes + lines[i + AHEAD].key +
					   common);
		if (whole)
			from = line_start(text, from);
		from += common;
		lines[i].prefix = from < lines[i].end ?
					  prefix(text->bytes + from,
						 lines[i].end - from) :
					  0;
	}
	radix_sort(lines, other, count);
	for (size_t start = 0; start < count; start = end) {
		uint64_t same = lines[start].prefix;

		end = start + 1;
		while (end < count && lines[end].prefix == same)
			end++;
		if (end - start == 1)
			continue;
		if (!has_zero_byte(same))
			sort_lines(text, lines + start, other, end - start,
				   common + 8, whole);
		else if (text->zeros)
			merge_sort(text, lines + start, other, end - start);
		else if (!whole)
			sort_lines(text, lines + start, other, end - start, 0,
				   true);
	}
}

/* Sorts the lines by bytes, as "sort -b" does; the checksum covers all of them. */
static struct result sort(const struct text *text, struct line *lines,
			  struct line *other, char *output)
{
	struct result result = { .records = text->lines, .hash = HASH_START };
	size_t start = 0;
	size_t written = 0;

	for (size_t i = 0; i < text->lines; i++) {
		size_t length = line_length(text, start);

		lines[i] = (struct line){
			.key = (uint32_t)(start + blanks(text->bytes + start,
							 length)),
			.end = (uint32_t)(start + length),
		};
		start += length + 1;
	}
	sort_lines(text, lines, other, text->lines, 0, false);
	for (size_t i = 0; i < text->lines; i++) {
		size_t from = line_start(text, lines[i].key);
		size_t length = lines[i].end - from;

		if (i + AHEAD < text->lines)
			__builtin_prefetch(text->bytes + lines[i + AHEAD].key);
		memcpy(output + written, text->bytes + from, length);
		result.hash = hash_line(result.hash, output + written, length);
		written += length;
		output[written++] = '\n';
	}
	return result;
}

/* Finds the lines that contain the word, in their order. */
static struct result grep(const struct text *text)
{
	static const char word[] = "Exception";
	struct result result = { .hash = HASH_START };
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
		result.hash = hash_line(result.hash, text->bytes + start, length);
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
			 size_t slots, const struct slot *line)
{
	size_t i = line->hash & (slots - 1);

	while (table[i].hash &&
	       (table[i].hash != line->hash ||
		table[i].length != line->length ||
		memcmp(text->bytes + table[i].start, text->bytes + line->start,
		       line->length) != 0))
		i = (i + 1) & (slots - 1);
	return &table[i];
}

/* Finds the lines of the second half of the text that also occur in its first half. */
static struct result join(const struct text *text, struct slot *table,
			  size_t slots)
{
	struct result result = { 0 };
	struct slot ahead[AHEAD];
	size_t start = 0;

	for (size_t i = 0; i < text->lines; i += AHEAD) {
		size_t lines = text->lines - i < AHEAD ? text->lines - i : AHEAD;

		for (size_t j = 0; j < lines; j++) {
			size_t length = line_length(text, start);

			ahead[j] = (struct slot){
				.hash = hash_line(HASH_START,
						  text->bytes + start, length),
				.start = (uint32_t)start,
				.length = (uint32_t)length,
			};
			__builtin_prefetch(&table[ahead[j].hash & (slots - 1)]);
			start += length + 1;
		}
		for (size_t j = 0; j < lines; j++)
			__builtin_prefetch(
				text->bytes +
				table[ahead[j].hash & (slots - 1)].start);
		for (size_t j = 0; j < lines; j++) {
			struct slot *slot = find(text, table, slots, &ahead[j]);

			if (i + j < text->lines / 2) {
				*slot = ahead[j];
			} else if (slot->hash) {
				result.records++;
				result.hash += ahead[j].hash;
			}
		}
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
	/* The rename is atomic: a reader that sees the name sees the whole result. */
	if (fclose(file) || rename(unfinished, order->result))
		die("%s: %s", order->result, strerror(errno));
}

/* Memory is allocated before the text is read; text with short lines needs more. */
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
