/*
 * A city (scheduler paper, Table 1: 1,000 houses, 10 units, 100 stored). Each house consumes electricity from a power
 * plant and water from a river. The plant is a separate task, which makes a unit of electricity from one of water,
 * and stores a limited number of them. River and plant are monitors.
 */
#include "heddle/program.h"
#include "user/bench/condition_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"

struct river {
	struct chosen_mutex mutex;
	struct witness witness;
	uint64_t taken;
};

struct plant {
	struct chosen_mutex mutex;
	struct witness witness;
	struct chosen_condition has_room, has_some;
	uint64_t stored, capacity, most; /* units now, the maximum, and the most there ever were */
};

struct city {
	struct river river;
	struct plant plant;
	uint64_t houses, units;
};

static void river_take(struct river *river)
{
	chosen_mutex_lock(&river->mutex);
	uint64_t entered = witness_enter(&river->witness);
	river->taken++;
	witness_leave(&river->witness, entered);
	chosen_mutex_unlock(&river->mutex);
}

static void plant_store(struct plant *plant)
{
	chosen_mutex_lock(&plant->mutex);
	while (plant->stored == plant->capacity)
		chosen_condition_wait(&plant->has_room, &plant->mutex);
	uint64_t entered = witness_enter(&plant->witness);
	plant->stored++;
	if (plant->stored > plant->most)
		plant->most = plant->stored;
	witness_leave(&plant->witness, entered);
	chosen_condition_notify_one(&plant->has_some, &plant->mutex);
	chosen_mutex_unlock(&plant->mutex);
}

static void plant_take(struct plant *plant)
{
	chosen_mutex_lock(&plant->mutex);
	while (plant->stored == 0)
		chosen_condition_wait(&plant->has_some, &plant->mutex);
	uint64_t entered = witness_enter(&plant->witness);
	plant->stored--;
	witness_leave(&plant->witness, entered);
	chosen_condition_notify_one(&plant->has_room, &plant->mutex);
	chosen_mutex_unlock(&plant->mutex);
}

/* The first member is the plant, the others are houses. */
static intptr_t member(size_t number, void *argument)
{
	struct city *city = argument;
	uint64_t units = number == 0 ? city->houses * city->units : city->units;
	for (uint64_t i = 0; i < units; i++) {
		river_take(&city->river);
		if (number == 0)
			plant_store(&city->plant);
		else
			plant_take(&city->plant);
	}
	return 0;
}

static bool city_measure(struct program_run *run, struct city *city)
{
	struct crew crew = {.name = "city", .function = member, .argument = city, .count = city->houses + 1};
	uint64_t consumed = city->houses * city->units, duration;
	intptr_t unused;
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	bool alone = witness_is_content(&city->river.witness, 2 * consumed) &&
	             witness_is_content(&city->plant.witness, 2 * consumed);
	bool all = city->river.taken == 2 * consumed && city->plant.stored == 0 &&
	           city->plant.most <= city->plant.capacity;
	program_result(run, NULL, 2 * consumed, duration, alone && all);
	if (!alone)
		return program_failed(run, "a section was lost, or two tasks were in a monitor at once");
	return all || program_failed(run,
	                             "%lu units of water were taken instead of %lu, and %lu of electricity "
	                             "were left; at most %lu were stored",
	                             city->river.taken, 2 * consumed, city->plant.stored, city->plant.most);
}

static bool run(struct program_run *run)
{
	struct city city = {.houses = program_value(run, "tasks"), .units = program_value(run, "rounds")};
	city.plant.capacity = program_value(run, "size");
	bool ok = chosen_mutex_create(&city.river.mutex, run) && chosen_mutex_create(&city.plant.mutex, run) &&
	          city_measure(run, &city);
	chosen_mutex_destroy(&city.river.mutex);
	chosen_mutex_destroy(&city.plant.mutex);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"tasks", 1000, 1, 1000000, "how many houses"},
    {"rounds", 10, 1, 1000000, "units of electricity and of water that each house consumes"},
    {"size", 100, 1, 1000000000, "units of electricity that the plant can store"},
    {0}};

HEDDLE_PROGRAM(city, "houses, a river and a power plant (scheduler paper, Table 1)", parameters, run);
