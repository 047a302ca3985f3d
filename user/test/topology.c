/*
 * The topology: how it is built from the firmware's lists, and the questions about it.
 */
#include "kernel/acpi.h"
#include "user/test/test.h"

/* Large, so not on a task's stack; tests run one after the other. */
static struct topology made;
static struct acpi_processors listed;
static struct acpi_affinity affinity;
static uint16_t order[PROCESSORS_MAXIMUM];
static bool seen[PROCESSORS_MAXIMUM];

/* Sockets of cores with two threads and sparse ids: thread 1 bit, core 4 bits. */
static const struct topology_layout layout = {
    .core_shift = 1, .cache_shift = 5, .die_shift = 5, .socket_shift = 5};

static void processors_list(unsigned sockets, unsigned cores)
{
	listed.count = 0;
	for (unsigned socket = 0; socket < sockets; socket++)
		for (unsigned core = 0; core < cores; core++)
			for (unsigned thread = 0; thread < 2; thread++)
				listed.hardware_id[listed.count++] = socket << 5 | core << 1 | thread;
}

/* Each socket's processors belong to the domain 10 * (socket + 1). Each domain has 1 GiB except the last, which has
 * no memory. */
static void domains_list(unsigned sockets)
{
	affinity.processor_count = affinity.range_count = affinity.left_out = 0;
	for (unsigned i = 0; i < listed.count; i++) {
		affinity.processor[i].hardware_id = listed.hardware_id[i];
		affinity.processor[i].domain = 10 * ((listed.hardware_id[i] >> 5) + 1);
		affinity.processor_count++;
	}
	for (unsigned socket = 0; socket + 1 < sockets; socket++) {
		affinity.range[socket].base = (uint64_t)socket << 30;
		affinity.range[socket].length = 1 << 30;
		affinity.range[socket].domain = 10 * (socket + 1);
		affinity.range_count++;
	}
}

TEST(topology, puts_the_running_processor_first)
{
	processors_list(3, 12);
	CHECK(acpi_topology_build(&listed, NULL, NULL, 0x21, &layout, &made) == NULL);
	CHECK_EQUAL(made.processor_count, 72);
	CHECK_EQUAL(made.processor[0].hardware_id, 0x21);
	CHECK_EQUAL(made.processor[0].socket, 1);
	CHECK_EQUAL(made.processor[0].core, 0);
	CHECK_EQUAL(made.processor[1].hardware_id, 0);
	CHECK_EQUAL(made.processor[71].hardware_id, 2 << 5 | 11 << 1 | 1);
	CHECK_EQUAL(made.processor[71].core, 11 << 1);
	CHECK_EQUAL(made.node_count, 1);
	CHECK_EQUAL(made.range_count, 0);
	CHECK_EQUAL(made.distance[0][0], 10);
}

TEST(topology, has_the_running_processor_at_least)
{
	listed.count = 0;
	CHECK(acpi_topology_build(&listed, NULL, NULL, 77, &layout, &made) == NULL);
	CHECK_EQUAL(made.processor_count, 1);
	CHECK_EQUAL(made.processor[0].hardware_id, 77);

	for (listed.count = 0; listed.count < PROCESSORS_MAXIMUM; listed.count++)
		listed.hardware_id[listed.count] = listed.count;
	CHECK(acpi_topology_build(&listed, NULL, NULL, 5000, &layout, &made) == NULL); /* not in the list */
	CHECK_EQUAL(made.processor_count, PROCESSORS_MAXIMUM);
	CHECK_EQUAL(made.processor[0].hardware_id, 5000);
}

TEST(topology, takes_any_layout_of_ids)
{
	static const unsigned shifts[] = {0, 1, 31, 32, 33, 64, 255, UINT32_MAX};
	listed.count = 1;
	listed.hardware_id[0] = 0xdeadbeef;
	for (unsigned i = 0; i < 8; i++)
		for (unsigned j = 0; j < 8; j++) {
			const struct topology_layout strange = {.core_shift = shifts[i],
			                                        .cache_shift = shifts[j],
			                                        .die_shift = shifts[i],
			                                        .socket_shift = shifts[j]};
			CHECK(acpi_topology_build(&listed, NULL, NULL, 1, &strange, &made) == NULL);
			CHECK_EQUAL(made.processor_count, 2);
			CHECK(shifts[j] < 32 || made.processor[1].socket == 0);
		}
}

TEST(topology, makes_dense_nodes_of_domains)
{
	processors_list(4, 2);
	domains_list(4);
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) == NULL);
	CHECK_EQUAL(made.node_count, 4);
	for (unsigned i = 0; i < made.processor_count; i++)
		CHECK_EQUAL(made.processor[i].node, made.processor[i].socket);
	CHECK_EQUAL(made.range_count, 3);
	CHECK_EQUAL(topology_node_in(&made, 0), 0);
	CHECK_EQUAL(topology_node_in(&made, (1ull << 30) - 1), 0);
	CHECK_EQUAL(topology_node_in(&made, 1ull << 30), 1);
	CHECK_EQUAL(topology_node_in(&made, (3ull << 30) - 1), 2);
	CHECK_EQUAL(topology_node_in(&made, 3ull << 30), 0);
	CHECK_EQUAL(topology_node_in(&made, UINT64_MAX), 0);
	CHECK_EQUAL(made.distance[3][3], 10);
	CHECK_EQUAL(made.distance[3][0], 20);
}

TEST(topology, orders_nodes_by_domain)
{
	processors_list(2, 1);
	domains_list(2);
	for (unsigned i = 0; i < affinity.processor_count; i++)
		affinity.processor[i].domain = 100 - affinity.processor[i].domain;
	affinity.range_count = 0;
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) == NULL);
	CHECK_EQUAL(made.node_count, 2);
	for (unsigned i = 0; i < made.processor_count; i++)
		CHECK_EQUAL(made.processor[i].node, 1 - made.processor[i].socket);
}

TEST(topology, takes_distances_by_domain)
{
	static uint8_t matrix[21 * 21];
	for (unsigned i = 0; i < sizeof(matrix); i++)
		matrix[i] = (uint8_t)(i / 21 == i % 21 ? 10 : 11 + i / 21 + i % 21);
	struct acpi_distances distances = {21, matrix};
	processors_list(3, 1);
	domains_list(3);
	CHECK(acpi_topology_build(&listed, &affinity, &distances, 0, &layout, &made) == NULL);
	CHECK_EQUAL(made.distance[0][0], 10);
	CHECK_EQUAL(made.distance[0][1], 11 + 10 + 20);
	CHECK_EQUAL(made.distance[1][0], 11 + 10 + 20);
	CHECK_EQUAL(made.distance[0][2], 20); /* domain 30 is not in the matrix */
}

TEST(topology, says_what_affinity_leaves_out)
{
	processors_list(2, 2);
	domains_list(2);
	affinity.processor_count--;
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) != NULL);
	CHECK_EQUAL(made.node_count, 2);
	CHECK_EQUAL(made.processor[7].node, 0);

	listed.count = affinity.processor_count = affinity.range_count = 0;
	for (unsigned i = 0; i < NODES_MAXIMUM + 3; i++) {
		listed.hardware_id[listed.count++] = i;
		affinity.processor[i].hardware_id = i;
		affinity.processor[i].domain = i;
		affinity.processor_count++;
	}
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) != NULL);
	CHECK_EQUAL(made.node_count, NODES_MAXIMUM);
	CHECK_EQUAL(made.processor[NODES_MAXIMUM - 1].node, NODES_MAXIMUM - 1);
	CHECK_EQUAL(made.processor[NODES_MAXIMUM].node, 0);

	affinity.processor_count = affinity.range_count = 0;
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) != NULL);
	CHECK_EQUAL(made.node_count, 1);
}

TEST(topology, knows_near_from_far)
{
	processors_list(2, 2);
	domains_list(2);
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 0, &layout, &made) == NULL);
	CHECK_EQUAL(topology_distance_in(&made, 3, 3), 0);
	CHECK_EQUAL(topology_distance_in(&made, 2, 3), 1);
	CHECK_EQUAL(topology_distance_in(&made, 0, 3), 2);
	CHECK_EQUAL(topology_distance_in(&made, 0, 4), 20); /* the same core number in another socket */
}

/* All others, each once, from near to far; among equals in the order that follows the processor itself.
 */
static bool order_is_right(const struct topology *in, unsigned processor)
{
	unsigned count = in->processor_count;
	for (unsigned i = 0; i < count; i++)
		seen[i] = i == processor;
	topology_nearest_in(in, processor, order);
	for (unsigned i = 0; i + 1 < count; i++) {
		if (order[i] >= count || seen[order[i]])
			return false;
		seen[order[i]] = true;
		if (i == 0)
			continue;
		unsigned before = topology_distance_in(in, processor, order[i - 1]);
		unsigned here = topology_distance_in(in, processor, order[i]);
		if (before > here)
			return false;
		unsigned step_before = (order[i - 1] + count - processor) % count;
		unsigned step_here = (order[i] + count - processor) % count;
		if (before == here && step_before > step_here)
			return false;
	}
	return true;
}

TEST(topology, orders_by_nearness)
{
	processors_list(3, 12);
	domains_list(3);
	CHECK(acpi_topology_build(&listed, &affinity, NULL, 7, &layout, &made) == NULL);
	for (unsigned i = 0; i < made.processor_count; i++)
		CHECK(order_is_right(&made, i));
	processors_list(32, 16);
	CHECK(acpi_topology_build(&listed, NULL, NULL, 0, &layout, &made) == NULL);
	CHECK_EQUAL(made.processor_count, PROCESSORS_MAXIMUM);
	CHECK(order_is_right(&made, 0));
	CHECK(order_is_right(&made, PROCESSORS_MAXIMUM - 1));
	for (unsigned i = 0; i < topology.processor_count; i += 1 + topology.processor_count / 8)
		CHECK(order_is_right(&topology, i));
}
