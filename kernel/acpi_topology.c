/*
 * From ACPI's lists to the topology: processors in order, domains as dense nodes.
 */
#include "kernel/acpi.h"

#define DISTANCE_LOCAL   10
#define DISTANCE_UNKNOWN 20

/* The domains that are nodes, ascending: a node's number is the index of its domain. */
struct domain_list {
	unsigned count;
	bool full; /* a further domain found no room */
	uint32_t domain[NODES_MAXIMUM];
};

static void domain_add(struct domain_list *list, uint32_t domain)
{
	unsigned place = 0;
	while (place < list->count && list->domain[place] < domain)
		place++;
	if (place < list->count && list->domain[place] == domain)
		return;
	if (list->count == NODES_MAXIMUM) {
		list->full = true;
		return;
	}
	for (unsigned i = list->count++; i > place; i--)
		list->domain[i] = list->domain[i - 1];
	list->domain[place] = domain;
}

static bool domain_node(const struct domain_list *list, uint32_t domain, uint32_t *node)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->domain[i] == domain) {
			*node = i;
			return true;
		}
	return false;
}

static bool processor_domain(const struct acpi_affinity *affinity, uint32_t hardware_id, uint32_t *domain)
{
	for (unsigned i = 0; i < affinity->processor_count; i++)
		if (affinity->processor[i].hardware_id == hardware_id) {
			*domain = affinity->processor[i].domain;
			return true;
		}
	return false;
}

/* List the running processor first, then the others in the firmware's order. */
static void acpi_topology_processors_list(const struct acpi_processors *list, uint32_t running_hardware_id,
                                          const struct topology_layout *layout, struct topology *result)
{
	result->processor[0] = topology_place(running_hardware_id, layout);
	result->processor_count = 1;
	for (unsigned i = 0; i < list->count && result->processor_count < PROCESSORS_MAXIMUM; i++)
		if (list->hardware_id[i] != running_hardware_id)
			result->processor[result->processor_count++] = topology_place(list->hardware_id[i], layout);
}

/* Nodes are the domains of what is there: firmware also lists places where nothing is plugged in. */
static const char *nodes_list(const struct acpi_affinity *affinity, struct domain_list *domains,
                              struct topology *result)
{
	const char *left_out = affinity->left_out == 0 ? NULL : "has more entries than there is room for";
	uint32_t domain = 0;
	for (unsigned i = 0; i < result->processor_count; i++) {
		if (processor_domain(affinity, result->processor[i].hardware_id, &domain))
			domain_add(domains, domain);
		else
			left_out = "does not list every processor; those go to node 0";
	}
	for (unsigned i = 0; i < affinity->range_count; i++)
		domain_add(domains, affinity->range[i].domain);
	if (domains->count == 0)
		domain_add(domains, 0);
	result->node_count = domains->count;
	return domains->full ? "has more domains than there may be nodes; the rest belongs to node 0" : left_out;
}

static void nodes_assign(const struct acpi_affinity *affinity, const struct domain_list *domains,
                         struct topology *result)
{
	for (unsigned i = 0; i < result->processor_count; i++) {
		struct topology_processor *processor = &result->processor[i];
		uint32_t domain;
		if (!processor_domain(affinity, processor->hardware_id, &domain) ||
		    !domain_node(domains, domain, &processor->node))
			processor->node = 0;
	}
	for (unsigned i = 0; i < affinity->range_count; i++) {
		struct topology_range *range = &result->range[result->range_count++];
		*range = (struct topology_range){affinity->range[i].base, affinity->range[i].length, 0};
		domain_node(domains, affinity->range[i].domain, &range->node);
	}
}

static uint8_t distance_between(const struct acpi_distances *distances, uint32_t from, uint32_t to)
{
	if (distances != NULL && from < distances->count && to < distances->count)
		return distances->matrix[(size_t)from * distances->count + to];
	return from == to ? DISTANCE_LOCAL : DISTANCE_UNKNOWN;
}

const char *acpi_topology_build(const struct acpi_processors *list, const struct acpi_affinity *affinity,
                                const struct acpi_distances *distances, uint32_t running_hardware_id,
                                const struct topology_layout *layout, struct topology *result)
{
	acpi_topology_processors_list(list, running_hardware_id, layout, result);
	result->node_count = 1;
	result->range_count = 0;

	struct domain_list domains = {0};
	const char *left_out = NULL;
	if (affinity != NULL) {
		left_out = nodes_list(affinity, &domains, result);
		nodes_assign(affinity, &domains, result);
	}
	for (unsigned from = 0; from < result->node_count; from++)
		for (unsigned to = 0; to < result->node_count; to++)
			result->distance[from][to] =
			    distance_between(distances, domains.domain[from], domains.domain[to]);
	return left_out;
}
