/*
 * ridge/system.h - nodes and racks: a part, how many of it, and the fabrics between them.
 * Included by <ridge.h>.
 */
#ifndef RIDGE_SYSTEM_H
#define RIDGE_SYSTEM_H

#ifndef RIDGE_H
#error "include <ridge.h>"
#endif

typedef struct ridge_system ridge_system; /* read-only, owned by its catalogue */

/* Ids of systems in sorted order, without parsing; NULL past the end. */
RIDGE_API size_t ridge_catalog_system_count(const ridge_catalog *catalog);
RIDGE_API const char *ridge_catalog_system_id(const ridge_catalog *catalog, size_t index);

/*
 * A system by exact id, by alias, or by the path of a file, with its part.  As
 * ridge_catalog_load(): parsed on first use, so this changes the catalogue; NOTFOUND
 * names the nearest ids, or the variants of an ambiguous one ("hgx").
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_catalog_load_system(
    const ridge_system **out, ridge_catalog *catalog, const char *name, ridge_error *err);

RIDGE_API const char *ridge_system_id(const ridge_system *system);
RIDGE_API const char *ridge_system_name(const ridge_system *system);
/* Its GPU; borrowed from the catalogue. */
RIDGE_API const ridge_device *ridge_system_device(const ridge_system *system);

/*
 * A machine of the system's GPU that also knows its fabrics: as ridge_machine_new() with
 * that part, and wire time is bounded by the links of one part.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_machine_new_system(ridge_machine **out, ridge_catalog *catalog,
                         const ridge_system *system, ridge_error *err);
/*
 * Give a machine of a part alone the node that the part is ordinarily in, and mark it so
 * (warning assumed_system where bytes go over a link): the listed system that holds it;
 * else eight of them on the part's own link, else on its PCIe.  Nothing changes where a
 * system is known.  NODATA: the machine has no part, or the part no known link.
 */
RIDGE_MUST_CHECK RIDGE_API ridge_status
ridge_machine_assume_system(ridge_machine *machine, ridge_error *err);
/* The system of a machine; NULL for one that was made of a part alone. */
RIDGE_API const ridge_system *ridge_machine_system(const ridge_machine *machine);

/* ---- Links as such ----------------------------------------------------------------- */

typedef struct ridge_link ridge_link; /* NVLink 5, PCIe 5, InfiniBand NDR: read-only */

/* As for systems. */
RIDGE_API size_t ridge_catalog_link_count(const ridge_catalog *catalog);
RIDGE_API const char *ridge_catalog_link_id(const ridge_catalog *catalog, size_t index);
RIDGE_MUST_CHECK RIDGE_API ridge_status ridge_catalog_load_link(const ridge_link **out,
                                                                ridge_catalog *catalog,
                                                                const char *name,
                                                                ridge_error *err);
RIDGE_API const char *ridge_link_id(const ridge_link *link);
RIDGE_API const char *ridge_link_name(const ridge_link *link);

#endif
