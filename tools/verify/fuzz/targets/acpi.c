/*
 * ACPI tables, from the root pointer to the topology. The bytes describe the tables:
 *
 *     options, identifier of the running processor, shift of cores and caches, shift of dies and sockets
 *     kind, options, revision, 16 bits of length, and that many bytes: for each table, what follows its header
 *
 * Lengths, checksums and the list of tables are generated here, so that the code after them is fuzzed; options make
 * some of them wrong.
 */
#include "kernel/acpi.h"
#include "tools/verify/fuzz/targets/fuzz.h"

#define HEAD        4
#define TABLE_HEAD  5
#define TABLES      12
#define KINDS       9
#define ROOT_SIZE   36
#define FIRST       0x100000u /* address of the first table; */
#define DISTANCE    0x100000u /* from one table to the next */
#define CONTENT_MAX 16384
#define BLOCKS      512 /* reads of memory in one run */

enum { NARROW_LIST = 1, WRONG_ROOT = 2, CUT_ROOT = 4, NO_SUCH_TABLE = 8 }; /* options */
enum { WRONG_SUM = 1, OWN_LENGTH = 2, SHORT_MEMORY = 4 };                  /* of a table */

static const char signatures[KINDS][5] = {"APIC", "SRAT", "SLIT", "HPET", "FACP",
                                          "DSDT", "SSDT", "XXXX", "SPCR"};

static struct built {
	uint8_t bytes[ACPI_HEADER_SIZE + CONTENT_MAX];
	size_t length, readable;
} tables[TABLES + 1]; /* the last one is the list */

static void *blocks[BLOCKS];
static unsigned block_count;

/* ------------------------------------------------------------------------------------------- memory -- */

static uint64_t address_of(unsigned number)
{
	return FIRST + (uint64_t)number * DISTANCE;
}

/* A copy of each piece that is read: the bytes after it must not be touched. */
static const uint8_t *read_memory(void *owner, uint64_t address, size_t bytes)
{
	(void)owner;
	uint64_t number = (address - FIRST) / DISTANCE, offset = (address - FIRST) % DISTANCE;
	if (address < FIRST || number > TABLES || offset > tables[number].readable ||
	    bytes > tables[number].readable - offset || block_count == BLOCKS)
		return NULL;
	return blocks[block_count++] = fuzz_copy(tables[number].bytes + offset, bytes);
}

static const struct acpi_memory memory = {read_memory, NULL};

static void put(uint8_t *bytes, uint64_t number, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
}

static void sum(uint8_t *bytes, size_t length, size_t place)
{
	uint8_t total = 0;
	bytes[place] = 0;
	for (size_t i = 0; i < length; i++)
		total = (uint8_t)(total + bytes[i]);
	bytes[place] = (uint8_t)-total;
}

static void build(struct built *table, const char *signature, unsigned revision, const uint8_t *content,
                  size_t length)
{
	memset(table->bytes, 0, ACPI_HEADER_SIZE);
	memcpy(table->bytes, signature, 4);
	memcpy(table->bytes + ACPI_HEADER_SIZE, content, length);
	table->length = table->readable = ACPI_HEADER_SIZE + length;
	put(table->bytes + 4, table->length, 4);
	table->bytes[8] = (uint8_t)revision;
	sum(table->bytes, table->length, 9);
}

/* Returns how many bytes it took; 0: there are no more tables. */
static size_t build_next(struct built *table, const uint8_t *data, size_t size)
{
	if (size < TABLE_HEAD)
		return 0;
	size_t length = (size_t)data[3] | (size_t)data[4] << 8;
	if (length > size - TABLE_HEAD)
		length = size - TABLE_HEAD;
	if (length > CONTENT_MAX)
		length = CONTENT_MAX;
	build(table, signatures[data[0] % KINDS], data[2], data + TABLE_HEAD, length);
	if (data[1] & WRONG_SUM)
		table->bytes[9]++;
	if ((data[1] & OWN_LENGTH) && length >= 4) {
		memcpy(table->bytes + 4, data + TABLE_HEAD, 4);
		uint32_t own;
		memcpy(&own, table->bytes + 4, 4);
		if (own >= ACPI_HEADER_SIZE && own <= table->length)
			sum(table->bytes, own, 9);
	}
	if (data[1] & SHORT_MEMORY)
		table->readable -= length / 2;
	return TABLE_HEAD + length;
}

/* The list of that many tables, as the last one; and the root pointer. Returns its length. */
static size_t build_root(uint8_t options, unsigned count, uint8_t root[ROOT_SIZE])
{
	uint8_t list[(TABLES + 1) * 8];
	unsigned width = options & NARROW_LIST ? 4 : 8;
	for (unsigned i = 0; i < count; i++)
		put(list + i * width, address_of(i), width);
	if (options & NO_SUCH_TABLE)
		put(list + count++ * width, UINT32_MAX, width);
	build(&tables[TABLES], width == 4 ? "RSDT" : "XSDT", 1, list, (size_t)count * width);
	memset(root, 0, ROOT_SIZE);
	memcpy(root, "RSD PTR ", 8);
	root[15] = width == 4 ? 0 : 2;
	put(root + 16, address_of(TABLES), 4);
	put(root + 20, ROOT_SIZE, 4);
	put(root + 24, width == 4 ? 0 : address_of(TABLES), 8);
	sum(root, 20, 8);
	sum(root, ROOT_SIZE, 32);
	root[8] = (uint8_t)(root[8] + (options & WRONG_ROOT ? 1 : 0));
	return options & CUT_ROOT ? ROOT_SIZE - 4 : ROOT_SIZE;
}

/* --------------------------------------------------------------------------------- reading, checking -- */

static struct acpi_processors listed;
static struct acpi_affinity affinity;
static struct topology made;

static void note(const char *error)
{
	if (error)
		fuzz_check_sentence(error, 200);
}

static bool find(const struct acpi_root *root, const char *signature, unsigned instance,
                 struct acpi_table *table)
{
	const char *error = acpi_table_find(root, &memory, signature, instance, table);
	note(error);
	return !error && table->length > 0;
}

static void check_processors(void)
{
	FUZZ_CHECK(listed.count <= PROCESSORS_MAXIMUM && listed.router_count <= ACPI_ROUTERS_MAXIMUM);
	for (unsigned i = 0; i < listed.count; i++)
		for (unsigned j = 0; j < i; j++)
			FUZZ_CHECK(listed.hardware_id[i] != listed.hardware_id[j]);
}

static void check_topology(uint32_t running)
{
	static uint16_t order[PROCESSORS_MAXIMUM];
	FUZZ_CHECK(made.processor_count >= 1 && made.processor_count <= PROCESSORS_MAXIMUM);
	FUZZ_CHECK(made.node_count >= 1 && made.node_count <= NODES_MAXIMUM);
	FUZZ_CHECK(made.range_count <= NODE_RANGES_MAXIMUM && made.processor[0].hardware_id == running);
	for (unsigned i = 0; i < made.processor_count; i++)
		FUZZ_CHECK(made.processor[i].node < made.node_count);
	for (unsigned i = 0; i < made.range_count; i++) {
		FUZZ_CHECK(made.range[i].node < made.node_count);
		FUZZ_CHECK(topology_node_in(&made, made.range[i].base) < made.node_count);
	}
	for (unsigned i = 0; i < made.node_count; i++)
		for (unsigned j = 0; j < made.node_count; j++)
			FUZZ_CHECK(made.distance[i][j] >= 10);
	topology_nearest_in(&made, made.processor_count - 1, order);
	for (unsigned i = 0; i + 1 < made.processor_count; i++)
		FUZZ_CHECK(order[i] < made.processor_count - 1);
}

static void read_topology(const struct acpi_root *root, const uint8_t *head)
{
	struct acpi_table table;
	struct acpi_distances distances;
	const struct topology_layout layout = {
	    .core_shift = head[2], .cache_shift = head[2], .die_shift = head[3], .socket_shift = head[3]};
	bool near = false, known = false;
	listed.count = 0;
	if (find(root, "APIC", 0, &table)) {
		const char *error = acpi_processors_parse(&table, &listed);
		note(error);
		if (!error)
			check_processors();
		else
			listed.count = 0;
	}
	if (find(root, "SRAT", 0, &table)) {
		const char *error = acpi_affinity_parse(&table, &affinity);
		note(error);
		near = !error;
	}
	if (find(root, "SLIT", 0, &table)) {
		const char *error = acpi_distances_parse(&table, &distances);
		note(error);
		known = !error;
	}
	note(acpi_topology_build(&listed, near ? &affinity : NULL, known ? &distances : NULL, head[1], &layout,
	                         &made));
	check_topology(head[1]);
}

static void read_rest(const struct acpi_root *root)
{
	struct acpi_table table, definition;
	struct acpi_power power;
	struct acpi_serial serial;
	uint64_t address;
	uint8_t types[2];
	if (find(root, "HPET", 0, &table))
		note(acpi_event_timer_parse(&table, &address));
	if (find(root, "FACP", 0, &table) && !acpi_power_parse(&table, &power))
		note(acpi_table_read(power.definition_address, &memory, &definition));
	if (find(root, "SPCR", 0, &table) && !acpi_serial_parse(&table, &serial))
		FUZZ_CHECK(serial.address > 0 && (serial.in_memory || serial.address <= UINT16_MAX));
	for (unsigned instance = 0; instance < TABLES; instance++)
		if (find(root, instance ? "SSDT" : "DSDT", instance ? instance - 1 : 0, &table) &&
		    acpi_soft_off_find(&table, types))
			FUZZ_CHECK(types[0] <= 7 && types[1] <= 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct acpi_root root;
	uint8_t pointer[ROOT_SIZE];
	if (size < HEAD)
		return 0;
	unsigned count = 0;
	for (size_t at = HEAD, took; count < TABLES; count++, at += took)
		if ((took = build_next(&tables[count], data + at, size - at)) == 0)
			break;
	for (unsigned i = count; i < TABLES; i++)
		tables[i].readable = 0;
	size_t length = build_root(data[0], count, pointer);
	void *given = fuzz_copy(pointer, length);
	const char *error = acpi_root_find(given, length, &memory, &root);
	note(error);
	if (!error) {
		read_topology(&root, data);
		read_rest(&root);
	}
	free(given);
	while (block_count > 0)
		free(blocks[--block_count]);
	return 0;
}
