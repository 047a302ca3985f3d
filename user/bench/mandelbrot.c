/*
 * The Mandelbrot set, with its points divided among many tasks (scheduler paper, Table 1: 100 tasks, 2000 points a
 * side, limit 5000). There are as many parts of equal length as tasks; they take different times.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

#define CHECKED_APART 61 /* the distance between points that one task computes again */

struct picture {
	size_t size, tasks;
	uint32_t limit;
	uint32_t *steps; /* of each point, size times size; 1 to limit */
};

/* Steps until the point leaves the circle of radius 2, or the limit. The plane is [-2, 1) x [-1.5, 1.5). */
static uint32_t point_steps(const struct picture *picture, size_t point)
{
	double pitch = 3.0 / (double)picture->size;
	double real = (double)(point % picture->size) * pitch - 2,
	       imaginary = (double)(point / picture->size) * pitch - 1.5;
	double x = 0, y = 0;
	uint32_t steps = 0;
	while (steps < picture->limit && x * x + y * y <= 4) {
		double next = x * x - y * y + real;
		y = 2 * x * y + imaginary;
		x = next;
		steps++;
	}
	return steps;
}

/* Part `number` of the points; returns how many. */
static intptr_t part_compute(size_t number, void *argument)
{
	const struct picture *picture = argument;
	size_t points = picture->size * picture->size;
	size_t first = points * number / picture->tasks, end = points * (number + 1) / picture->tasks;
	for (size_t point = first; point < end; point++)
		picture->steps[point] = point_steps(picture, point);
	return (intptr_t)(end - first);
}

/* The sum of all steps, the same for any number of tasks. */
static uint64_t picture_checksum(const struct picture *picture)
{
	uint64_t sum = 0;
	for (size_t point = 0; point < picture->size * picture->size; point++)
		sum += picture->steps[point];
	return sum;
}

static bool picture_is_right(const struct picture *picture)
{
	for (size_t point = 0; point < picture->size * picture->size; point++) {
		if (picture->steps[point] < 1 || picture->steps[point] > picture->limit)
			return false;
		if (point % CHECKED_APART == 0 && picture->steps[point] != point_steps(picture, point))
			return false;
	}
	return true;
}

static bool picture_measure(struct program_run *run, struct picture *picture)
{
	struct crew crew = {
	    .name = "mandelbrot", .function = part_compute, .argument = picture, .count = picture->tasks};
	intptr_t points;
	for (size_t point = 0; point < picture->size * picture->size; point++)
		picture->steps[point] = 0;
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %zu tasks: %s", picture->tasks, heddle_error_text(error));
	uint64_t start = heddle_clock();
	crew_start(&crew);
	error = crew_join(&crew, &points);
	uint64_t duration = heddle_clock() - start;
	bool ok =
	    error == HEDDLE_OK && (uint64_t)points == picture->size * picture->size && picture_is_right(picture);
	program_result_extra(run, "checksum", picture_checksum(picture));
	return program_result(run, NULL, (uint64_t)points, duration, ok);
}

static bool run(struct program_run *run)
{
	struct picture picture = {.size = program_value(run, "size"),
	                          .tasks = program_value(run, "tasks"),
	                          .limit = (uint32_t)program_value(run, "limit")};
	size_t bytes = picture.size * picture.size * sizeof(*picture.steps);
	picture.steps = heddle_allocate(bytes);
	if (!picture.steps)
		return program_failed(run, "no memory for a picture of %zu bytes", bytes);
	bool ok = picture_measure(run, &picture);
	heddle_free(picture.steps, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"size", 100, 1, 10000, "points on each side of the plane"},
    {"tasks", 100, 1, 100000, "how many tasks share the points"},
    {"limit", 500, 1, 1000000000, "steps at most for a point"},
    {0}};

HEDDLE_PROGRAM(mandelbrot, "the Mandelbrot set in parts (scheduler paper, Table 1)", parameters, run);
