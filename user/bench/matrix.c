/*
 * Matrix multiplication by many tasks (scheduler paper, Figure 10). Each task computes its own rows, without
 * optimization for caches. Every processor that takes part fetches the whole right matrix. In the paper a processor has
 * tens of rows to compute with it; the left matrix can have more rows than columns, so that this is so with small
 * matrices and many processors, too.
 *
 * The factors are left[i][k] = i + k and right[k][j] = k - j, with n columns, so each element of the product is known:
 * the sum over k of (i + k)(k - j) = K2 + (i - j) K1 - n i j, with K1 and K2 the sums of k and of k squared.
 * All of it stays below 2^53, where doubles are exact.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

struct matrices {
	size_t size, rows, tasks; /* columns of all three, and rows of the right one; rows of the others */
	double *left, *right, *product;
};

static void matrices_fill(struct matrices *matrices)
{
	size_t size = matrices->size;
	for (size_t row = 0; row < matrices->rows; row++) {
		for (size_t column = 0; column < size; column++) {
			matrices->left[row * size + column] = (double)(row + column);
			matrices->product[row * size + column] = -1;
		}
	}
	for (size_t row = 0; row < size; row++)
		for (size_t column = 0; column < size; column++)
			matrices->right[row * size + column] = (double)row - (double)column;
}

static void row_multiply(const struct matrices *matrices, size_t row)
{
	size_t size = matrices->size;
	for (size_t column = 0; column < size; column++) {
		double sum = 0;
		for (size_t k = 0; k < size; k++)
			sum += matrices->left[row * size + k] * matrices->right[k * size + column];
		matrices->product[row * size + column] = sum;
	}
}

/* Task t computes the rows t, t + tasks, t + 2 tasks, ...; returns how many. */
static intptr_t rows_multiply(size_t number, void *argument)
{
	const struct matrices *matrices = argument;
	intptr_t rows = 0;
	for (size_t row = number; row < matrices->rows; row += matrices->tasks, rows++)
		row_multiply(matrices, row);
	return rows;
}

static bool product_is_right(const struct matrices *matrices)
{
	size_t size = matrices->size;
	double n = (double)size, sum = n * (n - 1) / 2, sum_of_squares = (n - 1) * n * (2 * n - 1) / 6;
	for (size_t row = 0; row < matrices->rows; row++) {
		for (size_t column = 0; column < size; column++) {
			double i = (double)row, j = (double)column;
			if (matrices->product[row * size + column] != sum_of_squares + (i - j) * sum - n * i * j)
				return false;
		}
	}
	return true;
}

static bool matrices_measure(struct program_run *run, struct matrices *matrices)
{
	struct crew crew = {
	    .name = "matrix", .function = rows_multiply, .argument = matrices, .count = matrices->tasks};
	uint64_t size = matrices->size;
	intptr_t rows;
	matrices_fill(matrices);
	enum heddle_error error = crew_create(&crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %zu tasks: %s", matrices->tasks, heddle_error_text(error));
	uint64_t start = heddle_clock();
	crew_start(&crew);
	error = crew_join(&crew, &rows);
	uint64_t duration = heddle_clock() - start;
	bool ok = error == HEDDLE_OK && (uint64_t)rows == matrices->rows && product_is_right(matrices);
	return program_result(run, NULL, matrices->rows * size * size, duration, ok);
}

static bool run(struct program_run *run)
{
	struct matrices matrices = {.size = program_value(run, "size"), .tasks = program_value(run, "tasks")};
	uint64_t rows = program_value(run, "rows");
	matrices.rows = rows ? rows : matrices.size;
	size_t bytes = matrices.rows * matrices.size * sizeof(double);
	size_t right_bytes = matrices.size * matrices.size * sizeof(double);
	bool ok;
	matrices.left = heddle_allocate(bytes);
	matrices.right = heddle_allocate(right_bytes);
	matrices.product = heddle_allocate(bytes);
	if (matrices.left && matrices.right && matrices.product)
		ok = matrices_measure(run, &matrices);
	else
		ok = program_failed(run, "no memory for three matrices of %zu and %zu bytes", bytes, right_bytes);
	heddle_free(matrices.left, bytes);
	heddle_free(matrices.right, right_bytes);
	heddle_free(matrices.product, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"size", 160, 1, 10000, "rows and columns of the matrices"},
    {"rows", 0, 0, 1000000, "rows of the left matrix and the product; 0: as many as columns"},
    {"tasks", 64, 1, 10000, "how many tasks share the rows"},
    {0}};

HEDDLE_PROGRAM(matrix, "multiplication of two matrices of doubles (scheduler paper, Figure 10)", parameters,
               run);
