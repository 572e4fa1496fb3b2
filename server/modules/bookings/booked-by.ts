import { sql } from 'kysely'

/**
 * Whose booking it is and how to reach them, for queries that join `users`, `staff` and `companies` to `bookings`. Every
 * booking has a customer or a staff member; those of a company belong to the staff member who made them. A customer
 * without a name is called by the user name (rules §8.1).
 */
export const personName = sql<string>`coalesce(nullif(trim(coalesce(users.firstname, staff.firstname, '') || ' ' ||
  coalesce(users.lastname, staff.lastname, '')), ''), users.username, '')`
export const phone = sql<string>`coalesce(nullif(companies.phone, ''), users.mobile, staff.phone_number, '')`
export const email = sql<string>`coalesce(nullif(companies.email, ''), users.email, staff.email, '')`
