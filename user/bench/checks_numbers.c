/*
 * Workloads of `checks` that compute: matrix, mandelbrot, vector and nest.
 */
#include "user/bench/checks.h"

/* matrix: the plain triple loop over doubles; factors as in matrix.c, so the sum of all elements is exact. */
#define MATRIX_SIZE 96

struct matrix_memory {
	double left[MATRIX_SIZE][MATRIX_SIZE], right[MATRIX_SIZE][MATRIX_SIZE], product[MATRIX_SIZE][MATRIX_SIZE];
	size_t size; /* in memory, so that no loop has a constant number of iterations */
};
WORKLOAD_FITS(matrix_memory);

static void matrix_prepare(void *memory)
{
	struct matrix_memory *matrix = memory;
	matrix->size = MATRIX_SIZE;
	for (size_t row = 0; row < MATRIX_SIZE; row++) {
		for (size_t column = 0; column < MATRIX_SIZE; column++) {
			matrix->left[row][column] = (double)(row + column);
			matrix->right[row][column] = (double)row - (double)column;
		}
	}
}

static uint64_t matrix_round(void *memory)
{
	struct matrix_memory *matrix = memory;
	size_t size = matrix->size;
	uint64_t checksum = 0;
	for (size_t row = 0; row < size; row++) {
		for (size_t column = 0; column < size; column++) {
			double sum = 0;
			for (size_t k = 0; k < size; k++)
				sum += matrix->left[row][k] * matrix->right[k][column];
			matrix->product[row][column] = sum;
		}
	}
	for (size_t i = 0; i < size; i++)
		checksum = checksum_add(checksum, (uint64_t)(int64_t)matrix->product[i][size - 1 - i]);
	return checksum;
}

const struct workload workload_matrix = {"matrix", matrix_prepare, matrix_round,
                                         (uint64_t)MATRIX_SIZE *MATRIX_SIZE *MATRIX_SIZE,
                                         6418321696440008704u};

/* mandelbrot: loops with an unpredictable number of iterations. */
#define MANDELBROT_SIZE 56

struct mandelbrot_memory {
	unsigned size, limit;
};
WORKLOAD_FITS(mandelbrot_memory);

static void mandelbrot_prepare(void *memory)
{
	struct mandelbrot_memory *picture = memory;
	*picture = (struct mandelbrot_memory){.size = MANDELBROT_SIZE, .limit = 500};
}

static uint64_t mandelbrot_round(void *memory)
{
	const struct mandelbrot_memory *picture = memory;
	double pitch = 3.0 / picture->size;
	uint64_t checksum = 0;
	for (unsigned row = 0; row < picture->size; row++) {
		for (unsigned column = 0; column < picture->size; column++) {
			double real = column * pitch - 2, imaginary = row * pitch - 1.5, x = 0, y = 0;
			unsigned steps = 0;
			while (steps < picture->limit && x * x + y * y <= 4) {
				double next = x * x - y * y + real;
				y = 2 * x * y + imaginary;
				x = next;
				steps++;
			}
			checksum = checksum_add(checksum, steps);
		}
	}
	return checksum;
}

const struct workload workload_mandelbrot = {"mandelbrot", mandelbrot_prepare, mandelbrot_round,
                                             (uint64_t)MANDELBROT_SIZE *MANDELBROT_SIZE,
                                             5083601272262232498u};

/* vector: apply a 6 by 6 matrix to many vectors, in loops with a small constant number of iterations. */
#define VECTOR_SIZE 6
#define VECTORS     32768

struct vector_memory {
	int32_t matrix[VECTOR_SIZE][VECTOR_SIZE];
	int32_t vectors[VECTORS][VECTOR_SIZE];
	size_t count;
};
WORKLOAD_FITS(vector_memory);

static void vector_prepare(void *memory)
{
	struct vector_memory *vector = memory;
	uint64_t state = 1;
	vector->count = VECTORS;
	for (size_t row = 0; row < VECTOR_SIZE; row++)
		for (size_t column = 0; column < VECTOR_SIZE; column++)
			vector->matrix[row][column] = (int32_t)(random_next(&state) % 19) - 9;
	for (size_t i = 0; i < VECTORS; i++)
		for (size_t row = 0; row < VECTOR_SIZE; row++)
			vector->vectors[i][row] = (int32_t)(random_next(&state) % 1999) - 999;
}

static uint64_t vector_round(void *memory)
{
	const struct vector_memory *vector = memory;
	uint64_t checksum = 0;
	for (size_t i = 0; i < vector->count; i++) {
		for (size_t row = 0; row < VECTOR_SIZE; row++) {
			int32_t sum = 0;
			for (size_t column = 0; column < VECTOR_SIZE; column++)
				sum += vector->matrix[row][column] * vector->vectors[i][column];
			checksum = checksum_add(checksum, (uint32_t)sum);
		}
	}
	return checksum;
}

const struct workload workload_vector = {"vector", vector_prepare, vector_round,
                                         (uint64_t)VECTORS *VECTOR_SIZE *VECTOR_SIZE, 7242526771616310738u};

/* nest: the shortest paths between all towns (Floyd and Warshall), three counted loops around a comparison. */
#define TOWNS 96

struct nest_memory {
	size_t towns;
	uint32_t roads[TOWNS][TOWNS], ways[TOWNS][TOWNS];
};
WORKLOAD_FITS(nest_memory);

static void nest_prepare(void *memory)
{
	struct nest_memory *nest = memory;
	uint64_t state = 1;
	nest->towns = TOWNS;
	for (size_t from = 0; from < TOWNS; from++)
		for (size_t to = 0; to < TOWNS; to++)
			nest->roads[from][to] = random_next(&state) % 10000;
}

static uint64_t nest_round(void *memory)
{
	struct nest_memory *nest = memory;
	size_t towns = nest->towns;
	uint64_t checksum = 0;
	for (size_t from = 0; from < towns; from++)
		for (size_t to = 0; to < towns; to++)
			nest->ways[from][to] = nest->roads[from][to];
	for (size_t through = 0; through < towns; through++) {
		for (size_t from = 0; from < towns; from++) {
			for (size_t to = 0; to < towns; to++) {
				uint32_t way = nest->ways[from][through] + nest->ways[through][to];
				if (way < nest->ways[from][to])
					nest->ways[from][to] = way;
			}
		}
	}
	for (size_t from = 0; from < towns; from++)
		for (size_t to = 0; to < towns; to++)
			checksum = checksum_add(checksum, nest->ways[from][to]);
	return checksum;
}

const struct workload workload_nest = {"nest", nest_prepare, nest_round, (uint64_t)TOWNS *TOWNS *TOWNS,
                                       5754014009613605347u};
