#include "user/ports/database.h"

#include <string.h>

#include "sqlite3.h"
#include "user/ports/checksum.h"

static const char schema[] =
    "CREATE TABLE cloth(number INTEGER PRIMARY KEY, colour TEXT, width INTEGER, price REAL);"
    "CREATE TABLE dye(colour TEXT PRIMARY KEY, grams INTEGER);"
    "CREATE INDEX by_colour ON cloth(colour, width);"
    "CREATE INDEX by_price ON cloth(price);"
    "CREATE TRIGGER dyed AFTER INSERT ON cloth BEGIN"
    "  INSERT INTO dye VALUES(new.colour, new.width)"
    "  ON CONFLICT(colour) DO UPDATE SET grams = grams + new.width; END;";

/* Each row of each result counts. */
static const char *const questions[] = {
    "SELECT count(*), sum(width), total(price), min(colour), max(price) FROM cloth",
    "SELECT colour, count(*), sum(width), avg(price) FROM cloth GROUP BY colour ORDER BY colour",
    "SELECT number, price FROM cloth ORDER BY price DESC, number LIMIT 50",
    "SELECT number, width FROM cloth WHERE colour = 'indigo' AND width BETWEEN 20 AND 60 ORDER BY width, "
    "number",
    "SELECT a.number, b.number FROM cloth a JOIN cloth b ON a.colour = b.colour AND b.width = a.width + 1"
    " WHERE a.number % 50 = 0 ORDER BY 1, 2",
    "SELECT cloth.colour, grams, count(*) FROM cloth JOIN dye USING(colour) GROUP BY 1, 2 HAVING count(*) > "
    "1 ORDER BY 2",
    "SELECT number, sum(width) OVER (PARTITION BY colour ORDER BY number) FROM cloth ORDER BY number DESC "
    "LIMIT 60",
    "WITH RECURSIVE tree(number, depth) AS (VALUES(1, 0) UNION ALL SELECT number * 2 + step, depth + 1 FROM "
    "tree,"
    " (SELECT 0 AS step UNION SELECT 1) WHERE depth < 7) SELECT depth, count(*), sum(number) FROM tree GROUP "
    "BY depth",
    "SELECT substr(group_concat(upper(colour) || width, ','), 1, 200), hex(quote(price)) FROM cloth WHERE "
    "colour LIKE '%e%'",
    "UPDATE cloth SET price = round(price * 1.07, 2), colour = replace(colour, 'red', 'rose') WHERE width > "
    "30",
    "DELETE FROM cloth WHERE number % 3 = 0 OR price < (SELECT avg(price) / 4 FROM cloth)",
    "SAVEPOINT change; UPDATE cloth SET width = -width; ROLLBACK TO change; RELEASE change",
    "SELECT colour, count(*), sum(width), total(price) FROM cloth GROUP BY colour ORDER BY 2 DESC, 1",
    "SELECT width / 10 AS tens, count(DISTINCT colour) FROM cloth GROUP BY tens ORDER BY tens",
    "VACUUM",
    "PRAGMA integrity_check",
};

/* Pseudo-random numbers (xorshift). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int count_row(void *argument, int count, char **values, char **names)
{
	struct database_outcome *outcome = argument;
	(void)names;
	outcome->rows++;
	for (int i = 0; i < count; i++) {
		const char *value = values[i] ? values[i] : "NULL";
		outcome->checksum = checksum_add(outcome->checksum, value, strlen(value) + 1);
	}
	return 0;
}

static bool execute(sqlite3 *database, const char *text, struct database_outcome *outcome)
{
	return sqlite3_exec(database, text, count_row, outcome, NULL) == SQLITE_OK;
}

static bool insert_row(sqlite3_stmt *insert, uint64_t number, uint64_t *state)
{
	static const char *const colours[] = {"madder red", "indigo", "weld",  "walnut",
	                                      "cochineal",  "woad",   "onion", "iron grey"};
	uint64_t random = next_random(state);
	sqlite3_bind_int64(insert, 1, (sqlite3_int64)(number * 7 % 100003));
	sqlite3_bind_text(insert, 2, colours[random % 8], -1, SQLITE_STATIC);
	sqlite3_bind_int64(insert, 3, (sqlite3_int64)(random >> 8) % 100);
	sqlite3_bind_double(insert, 4, (double)(random >> 40) / 1000);
	return sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
}

static bool fill(sqlite3 *database, uint64_t seed, uint64_t rows)
{
	uint64_t state = seed * 2654435761 + 88172645463325252;
	sqlite3_stmt *insert;
	if (sqlite3_prepare_v2(database, "INSERT INTO cloth VALUES(?, ?, ?, ?)", -1, &insert, NULL) != SQLITE_OK)
		return false;
	bool well = true;
	for (uint64_t row = 0; well && row < rows; row++)
		well = insert_row(insert, row, &state);
	return sqlite3_finalize(insert) == SQLITE_OK && well;
}

static bool ask(sqlite3 *database, struct database_outcome *outcome)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		if (!execute(database, questions[i], outcome))
			return false;
		sqlite3_int64 changes = sqlite3_changes64(database);
		outcome->checksum = checksum_add(outcome->checksum, &changes, sizeof(changes));
	}
	return true;
}

bool database_begin(void)
{
	return sqlite3_initialize() == SQLITE_OK;
}

void database_end(void)
{
	sqlite3_shutdown();
}

bool database_run(uint64_t seed, uint64_t rows, struct database_outcome *outcome)
{
	sqlite3 *database;
	*outcome = (struct database_outcome){.checksum = CHECKSUM_START};
	bool well = sqlite3_open(":memory:", &database) == SQLITE_OK && execute(database, schema, outcome) &&
	            execute(database, "BEGIN", outcome) && fill(database, seed, rows) &&
	            execute(database, "COMMIT", outcome) && ask(database, outcome);
	if (!well)
		strncpy(outcome->complaint, sqlite3_errmsg(database), sizeof(outcome->complaint) - 1);
	return sqlite3_close(database) == SQLITE_OK && well;
}
