/** Tells a database apart from all others, also from those of the same server; a replica's is that of its primary. */
export const IDENTITY = `(select (select system_identifier from pg_control_system()) || ' ' || oid
  from pg_database where datname = current_database())`
