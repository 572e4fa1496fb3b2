import { type Kysely, sql } from 'kysely'

/**
 * Creates all tables with their invariants. Texts are checked for what the application promises of them. The primary
 * key of booking_slots ensures one booking per slot; it begins with the pod, so that the tables can be distributed by
 * pod.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'create extension if not exists pg_trgm',

  `create table staff (
    id uuid primary key,
    firstname text not null check (firstname <> ''),
    lastname text not null,
    email text not null check (email = lower(email)),
    phone_number text not null,
    password_hash text not null,
    role text not null,
    pages smallint[] not null check (pages <@ array[1,2,3,4,5,6,7,8,9]::smallint[]),
    is_blocked boolean not null default false,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  // Sign-in finds staff by email; the address of a deleted member may be used again.
  'create unique index staff_email_key on staff (email) where deleted_at is null',

  `create table sessions (
    token_hash bytea primary key,
    staff_id uuid not null references staff (id) on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  // To end the sessions of staff who are blocked or deleted.
  'create index sessions_staff_id_idx on sessions (staff_id)',
  // For the sweep of expired sessions.
  'create index sessions_expires_at_idx on sessions (expires_at)',

  // Columns as the PostgreSQL store of rate-limiter-flexible requires them.
  `create table login_attempts (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,

  `create table users (
    id uuid primary key,
    firstname text not null,
    lastname text not null,
    email text not null check (email = lower(email)),
    mobile text not null,
    role text not null,
    username text not null,
    is_blocked boolean not null default false,
    deleted_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create unique index users_email_key on users (email) where deleted_at is null',
  // For the list of users, newest first, with its tie-breaker.
  'create index users_created_at_idx on users (created_at desc, id desc) where deleted_at is null',
  // For the list by name, in the order people expect, with its tie-breaker: for pages, and for exports in batches.
  `create index users_name_idx on users ((firstname || ' ' || lastname) collate "und-x-icu", id) where deleted_at is null`,
  // For the list's search for a part of any of these.
  `create index users_search_idx on users using gin ((
    firstname || ' ' || lastname || E'\\n' || email || E'\\n' || username || E'\\n' || mobile
  ) gin_trgm_ops)`,
  // To search users by the end of an id, as shortened ids are shown; the beginning is found by the primary key.
  'create index users_id_end_idx on users (reverse(id::text) text_pattern_ops)',

  `create table locations (
    id uuid primary key,
    name text not null check (name <> ''),
    street text not null,
    city text not null,
    state text not null,
    zip text not null,
    country_code text not null,
    latitude double precision not null check (latitude between -90 and 90),
    longitude double precision not null check (longitude between -180 and 180),
    is_blocked boolean not null default false,
    deleted_at timestamptz,
    created_at timestamptz not null default now()
  )`,

  `create table features (
    id uuid primary key,
    name text not null check (name <> ''),
    icon text not null,
    is_blocked boolean not null default false,
    position integer not null,
    created_at timestamptz not null default now(),
    -- No two in one place. Checked after a statement, so that all can move at once; the list is read by its index.
    constraint features_position_key unique (position) deferrable
  )`,

  `create table images (
    id text primary key,
    url text not null,
    thumbnail_url text not null,
    placeholder text not null,
    width integer not null,
    height integer not null,
    discarded_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  // To find the thumbnail and placeholder of a pod's image.
  'create unique index images_url_key on images (url)',
  // For the sweep: images that are given up but not removed yet.
  'create index images_discarded_at_idx on images (discarded_at) where discarded_at is not null',

  `create table pods (
    id uuid primary key,
    title text not null check (title <> ''),
    slug text not null,
    description text not null,
    direction text not null,
    location_id uuid not null references locations (id),
    category text not null,
    time_slot text not null default '9am-5pm',
    is_available boolean not null default true,
    is_blocked boolean not null default false,
    tags text not null default 'Cape Town, Meeting Room',
    ratings jsonb not null default '[]',
    rating_count integer not null default 0,
    total_rating text not null default '0',
    booking_requirements text not null,
    availability text not null,
    cancellation_policy text not null,
    safety_and_property text not null,
    pod_user_id text not null,
    device_id text not null,
    serial text not null,
    device_password text not null,
    email text not null,
    rate numeric(12,4) not null check (rate >= 0),
    product_id text not null default 'prod00qd',
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create unique index pods_slug_key on pods (slug)',
  // For a location's pods: to count them, to delete the location, and for the filter of the pods screen.
  'create index pods_location_id_idx on pods (location_id) where deleted_at is null',
  // For the list of pods, newest first.
  'create index pods_created_at_idx on pods (created_at desc, id desc) where deleted_at is null',
  // To search pods, bookings and transactions by a part of the pod's title.
  'create index pods_title_idx on pods using gin (title gin_trgm_ops)',

  `create table pod_features (
    pod_id uuid not null references pods (id) on delete cascade,
    feature_id uuid not null references features (id) on delete cascade,
    position integer not null,
    primary key (pod_id, feature_id)
  )`,
  // To count a feature's pods, and to delete the feature.
  'create index pod_features_feature_id_idx on pod_features (feature_id)',

  `create table pod_images (
    pod_id uuid not null references pods (id) on delete cascade,
    position integer not null,
    public_id text not null,
    url text not null,
    primary key (pod_id, position)
  )`,
  // For the sweep of unused images: whether a stored image is in use. A hash, as a url may be too long for a btree.
  'create index pod_images_url_idx on pod_images using hash (url)',

  `create table bookings (
    id uuid primary key,
    pod_id uuid not null references pods (id),
    location_id uuid not null references locations (id),
    user_id uuid references users (id),
    staff_id uuid references staff (id),
    booking_date date not null,
    purpose text not null,
    start_time timestamptz not null,
    end_time timestamptz not null,
    slot_count smallint not null,
    status text not null check (status in ('Pending', 'Confirmed', 'Processing', 'Completed', 'Rated', 'Cancelled')),
    created_at timestamptz not null default now(),
    constraint bookings_one_owner check (num_nonnulls(user_id, staff_id) = 1),
    constraint bookings_order check (end_time > start_time and end_time - start_time <= interval '180 minutes'),
    constraint bookings_grid check (
      extract(epoch from start_time)::bigint % 900 = 0 and extract(epoch from end_time)::bigint % 900 = 0
    )
  )`,
  // For the list, newest first, with its tie-breaker.
  'create index bookings_created_at_idx on bookings (created_at desc, id desc)',
  // For the list by start, and its range of dates.
  'create index bookings_start_time_idx on bookings (start_time desc, id desc)',
  // For the list's filters by location and by owner, newest first, and for its search for either.
  'create index bookings_location_id_idx on bookings (location_id, created_at desc, id desc)',
  'create index bookings_owner_idx on bookings (coalesce(user_id, staff_id), created_at desc, id desc)',
  // For the list's filters by pod and by status, newest first, and their counts; for its search for a pod.
  'create index bookings_pod_id_created_at_idx on bookings (pod_id, created_at desc, id desc)',
  'create index bookings_status_idx on bookings (status, created_at desc, id desc)',
  // For the list's search by purpose.
  'create index bookings_purpose_idx on bookings using gin (purpose gin_trgm_ops)',
  // To search bookings by the end of an id.
  'create index bookings_id_end_idx on bookings (reverse(id::text) text_pattern_ops)',
  // For a pod's bookings of a day, and for the filter by pod with a range of dates.
  'create index bookings_pod_id_start_time_idx on bookings (pod_id, start_time)',
  // For the status scheduler: bookings whose status still has to change.
  `create index bookings_open_idx on bookings (start_time, end_time) where status in ('Pending', 'Confirmed', 'Processing')`,

  `create table booking_slots (
    pod_id uuid not null,
    slot_start timestamptz not null,
    booking_id uuid not null references bookings (id) on delete cascade,
    primary key (pod_id, slot_start)
  )`,
  // To free a booking's slots when it is cancelled.
  'create index booking_slots_booking_id_idx on booking_slots (booking_id)',

  `create table transactions (
    id uuid primary key,
    booking_id uuid references bookings (id),
    amount numeric(12,2) not null,
    currency text not null default 'ZAR',
    merchant_id text not null,
    checkout_id text not null,
    payment_facilitator text not null,
    status text not null,
    created_at timestamptz not null default now()
  )`,
  // For the list, newest first, with its tie-breaker.
  'create index transactions_created_at_idx on transactions (created_at desc, id desc)',
  // For its filters by status and by facilitator, newest first, and their counts; for the names of all facilitators.
  'create index transactions_status_idx on transactions (status, created_at desc, id desc)',
  'create index transactions_facilitator_idx on transactions (payment_facilitator, created_at desc, id desc)',
  // For the list by amount.
  'create index transactions_amount_idx on transactions (amount, id)',
  // For the list's search by the transaction's own texts.
  `create index transactions_search_idx on transactions using gin ((
    checkout_id || E'\\n' || merchant_id || E'\\n' || payment_facilitator
  ) gin_trgm_ops)`,
  // To search transactions by the end of an id.
  'create index transactions_id_end_idx on transactions (reverse(id::text) text_pattern_ops)',
  // For a booking's transactions.
  'create index transactions_booking_id_idx on transactions (booking_id)',

  `create table pricing (
    id smallint primary key default 1 check (id = 1),
    rate numeric(12,4) not null check (rate >= 0),
    discount_minutes integer not null check (discount_minutes >= 0),
    updated_at timestamptz not null default now()
  )`,
  'insert into pricing (rate, discount_minutes) values (0, 0)',
]
