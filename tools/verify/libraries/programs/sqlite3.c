#include <sqlite3.h>

#include "program.h"

static const char *const statements[] = {
    "CREATE TABLE cloth (number INTEGER PRIMARY KEY, name TEXT, width REAL, loom INTEGER)",
    "CREATE TABLE loom (number INTEGER PRIMARY KEY, place TEXT)",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
    " INSERT INTO cloth SELECT i, 'cloth ' || (i * 7919 % 601), (i * 37 % 101) / 8.0, i % 13 FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
    " INSERT INTO loom SELECT i, 'place ' || i FROM n",
    "CREATE INDEX by_width ON cloth (width, name)",
    "UPDATE cloth SET width = width + 0.5 WHERE number % 3 = 0",
    "BEGIN; DELETE FROM cloth WHERE number < 50; ROLLBACK",
    "SELECT place, count(*), round(sum(width), 3), max(name), twice(cloth.loom) FROM cloth JOIN loom"
    " ON cloth.loom = loom.number GROUP BY place ORDER BY 3 DESC, 1",
    "SELECT number, name FROM cloth WHERE width BETWEEN 3 AND 4.5 AND name LIKE '%1%' ORDER BY width, name "
    "LIMIT 60",
    "SELECT printf('%.3f %s', avg(width), group_concat(name)) FROM (SELECT * FROM cloth ORDER BY name LIMIT "
    "40)",
    "SELECT count(*) FROM cloth AS one, cloth AS other WHERE one.width = other.width AND one.number < "
    "other.number",
};

static int add_row(void *data, int count, char **values, char **names)
{
	uint64_t *sum = data;
	(void)names;
	for (int i = 0; i < count; i++)
		*sum = checksum(*sum, values[i] ? values[i] : "", values[i] ? strlen(values[i]) + 1 : 1);
	return 0;
}

static void twice(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	sqlite3_result_int(context, 2 * sqlite3_value_int(values[0]));
}

static int run_statements(uint64_t *sum)
{
	sqlite3 *database;
	int status = sqlite3_open(":memory:", &database);
	if (status == SQLITE_OK)
		status = sqlite3_create_function(database, "twice", 1, SQLITE_UTF8, NULL, twice, NULL, NULL);
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]) && status == SQLITE_OK; i++)
		status = sqlite3_exec(database, statements[i], add_row, sum, NULL);
	int refused = sqlite3_exec(database, "SELECT nothing FROM cloth", NULL, NULL, NULL) == SQLITE_ERROR;
	return sqlite3_close(database) == SQLITE_OK && status == SQLITE_OK && refused;
}

int main(int count, char **arguments)
{
	uint64_t sum = CHECKSUM_START;
	int right = 1;
	for (unsigned round = 0; round < rounds_of(count, arguments) && right; round++)
		right = run_statements(&sum);
	return finish("sqlite3", sum, right);
}
