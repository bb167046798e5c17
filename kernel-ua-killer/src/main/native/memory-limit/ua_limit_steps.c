// SPDX-License-Identifier: Apache-2.0
#include "ua_limit_steps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STEP (32LL << 20)
#define STEP_NS 50000000LL
#define GROWTH (1LL << 20)	/* best-effort may grow by this during a step */
#define MIN_STEP (256LL << 10)	/* minimum that a step reclaims */
#define PAUSE_US 20000		/* after a step that reclaimed nothing */
#define STACK (256 << 10)
/* memory.high is this far below the limit: a task that reaches it is slowed down, not stopped */
#define HIGH_PERCENT 2
#define CACHE_PERCENT 5		/* of use: with less to reclaim, slowing down would only make best-effort crawl */

s64 steps_floor(s64 use, s64 clean, s64 margin)
{
	return ua_limit_max(0, use - clean) + margin;
}

static void refused(struct steps *s, int code)
{
	if (code == -EINTR) {
		s->interrupted++;
		return;
	}
	s->refused++;
	s->reason = -code;
}

/* Returns whether it reclaimed any memory. On v1, the old limit holds until use fits under the new one. */
static bool step_down(struct steps *s, struct write_timer *timer, s64 use, s64 lower)
{
	s64 left;
	int code;

	lower = whole_pages(lower);
	write_timer_start(timer, STEP_NS);
	code = files_set_limit(s->files, lower, s->swap_limit);
	write_timer_stop(timer);
	left = file_read_number(s->files->use);
	if (code < 0)
		refused(s, code);
	if (code < 0 && left > 0 && left + GROWTH < s->limit) {
		/* Keeps best-effort from filling the reclaimed memory again. */
		lower = whole_pages(left + GROWTH);
		write_timer_start(timer, STEP_NS);
		code = files_set_limit(s->files, lower, s->swap_limit);
		write_timer_stop(timer);
	}
	if (code >= 0)
		s->limit = lower;
	if (code > 0)
		s->again = true;
	s->bytes += left > 0 && left < use ? use - left : 0;
	return left > 0 && left < use;
}

static bool reclaim(struct steps *s, struct write_timer *timer, s64 use, s64 bytes, bool file_only)
{
	char text[64];
	int length = sprintf(text, file_only ? "%lld swappiness=0" : "%lld", (long long)bytes), code = 0;
	s64 left;

	write_timer_start(timer, STEP_NS);
	if (pwrite(s->files->reclaim, text, length, 0) != length)
		code = -errno;
	if (code == -EINVAL && file_only) { /* kernels before 6.10 do not know swappiness here */
		length = sprintf(text, "%lld", (long long)bytes);
		code = pwrite(s->files->reclaim, text, length, 0) == length ? 0 : -errno;
	}
	write_timer_stop(timer);
	if (code && code != -EAGAIN) /* EAGAIN: it reclaimed less than that */
		refused(s, code);
	left = file_read_number(s->files->use);
	s->bytes += left > 0 && left < use ? use - left : 0;
	return left > 0 && left < use;
}

static bool step(struct steps *s, struct write_timer *timer)
{
	const struct limit_files *f = s->files;
	s64 use = file_read_number(f->use), clean = files_clean(f->stat, false, f->unified), goal = s->goal, margin = s->margin;

	if (use < 0 || clean < 0)
		return false;
	/* v2 without memory.reclaim: the kernel kills if it does not get below the limit. */
	if (f->unified && f->reclaim < 0)
		margin = ua_limit_max(margin, (use - clean) / 20);
	goal = ua_limit_max(goal, steps_floor(use, clean, margin));
	if (use - goal < MIN_STEP)
		return false;
	s->taken++;
	if (f->reclaim >= 0)
		return reclaim(s, timer, use, ua_limit_min(STEP, use - goal), clean > 0);
	return step_down(s, timer, use, ua_limit_max(goal, use - STEP));
}

/*
 * On a machine with swap, v1 swaps in addition to dropping page cache, according to each cgroup's swappiness.
 * Sets that to 0, because steps take only page cache.
 */
static void avoid_swap(struct steps *s)
{
	s64 swap;

	if (s->files->unified || s->swappiness < 0 || !files_swap_free(&swap))
		return;
	pthread_mutex_lock(&s->passing);
	if (!s->ended)
		files_avoid_swap(s->files, &s->avoided);
	pthread_mutex_unlock(&s->passing);
}

/* Of an earlier process that was killed during a step nothing is known, but that tasks do not have 0. */
static void restore_swappiness(struct steps *s, bool of_earlier)
{
	pthread_mutex_lock(&s->passing);
	if (s->avoided.count || (of_earlier && !s->ended))
		files_restore_swappiness(s->files, &s->avoided, s->swappiness);
	pthread_mutex_unlock(&s->passing);
}

/* v2: slows best-effort down shortly below the limit while it holds memory that it can drop. */
static void set_high(struct steps *s, struct write_timer *timer)
{
	const struct limit_files *f = s->files;
	s64 use = file_read_number(f->use), clean = files_clean(f->stat, false, true), limit = s->limit, high, now;

	if (f->high < 0 || use < 0 || clean < 0)
		return;
	high = limit == UA_LIMIT_NONE || clean < use / 100 * CACHE_PERCENT ?
		       UA_LIMIT_NONE :
		       whole_pages(limit - limit / 100 * HIGH_PERCENT);
	now = file_read_number(f->high);
	if (now == high)
		return;
	pthread_mutex_lock(&s->passing);
	if (!s->ended) {
		write_timer_start(timer, STEP_NS);
		file_write_number(f->high, high);
		write_timer_stop(timer);
	}
	pthread_mutex_unlock(&s->passing);
}

/*
 * The limit outlives this process, but not v2's memory.high: nobody else removes it when the page cache is used up, and
 * best-effort would crawl from then on. Nor v1's swappiness of 0.
 */
void steps_end(struct steps *s)
{
	pthread_mutex_lock(&s->passing);
	s->ended = true;
	if (s->files->high >= 0)
		file_write_number(s->files->high, UA_LIMIT_NONE);
	if (s->avoided.count)
		files_restore_swappiness(s->files, &s->avoided, s->swappiness);
	pthread_mutex_unlock(&s->passing);
}

static void *run(void *argument)
{
	struct steps *s = argument;
	struct write_timer timer;
	bool first = true;

	if (write_timer_init(&timer)) {
		s->reason = errno;
		return NULL;
	}
	for (;;) {
		while (sem_wait(&s->wake))
			;
		/* One round serves everything that was posted while memory was due. */
		while (!sem_trywait(&s->wake))
			;
		if (s->files->unified)
			set_high(s, &timer);
		else if (first && s->swappiness > 0)
			restore_swappiness(s, true);
		first = false;
		if (!s->due)
			continue;
		avoid_swap(s);
		while (s->due) {
			if (!step(s, &timer))
				usleep(PAUSE_US);
			if (s->files->unified)
				set_high(s, &timer);
		}
		restore_swappiness(s, false);
	}
	return NULL;
}

int steps_start(struct steps *s, const struct limit_files *files, struct ua_error *error)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int code;

	s->files = files;
	sem_init(&s->wake, 0, 0);
	pthread_mutex_init(&s->passing, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	code = pthread_create(&thread, &attributes, run, s);
	pthread_attr_destroy(&attributes);
	return code ? refuse(error, EXIT_FAILED, "cannot start a thread: %s", strerror(code)) : EXIT_OK;
}
