import { type Kysely, sql } from 'kysely'

/**
 * A pod's image used to be recognised as stored here only by its exact url: if a client sent it back as an absolute
 * address, the sweep of unused images removed it. Now it is recognised by its key, whatever the spelling; rows with
 * another spelling are corrected.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The key in any spelling: the last part of a path, percent-encoded or not, without query, fragment, extension and
  // the suffix of a thumbnail. Null when the result cannot be a key of the storage.
  `create function image_key(spelling text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      code text;
      name text;
    begin
      loop
        code := substring(spelling from '%([2-7][0-9A-Fa-f])');
        exit when code is null;
        spelling := replace(spelling, '%' || code, chr(('x' || code)::bit(8)::integer));
      end loop;
      name := lower(substring(regexp_replace(spelling, '[?#].*$', '') from '([^/\\\\]*)[/\\\\[:space:]]*$'));
      name := regexp_replace(btrim(name), '\\.[a-z0-9]+$', '');
      name := regexp_replace(name, '-thumbnail$', '');
      return case when name ~ '^[a-z0-9][a-z0-9._-]{0,200}$' then name end;
    end
  $$`,
  // To find a stored image by its key, as a client has spelled it.
  'create index images_key_idx on images (image_key(url))',
  // To find whether a stored image is in use, by either of the pod image's texts.
  `create index pod_images_keys_idx on pod_images using gin ((array[image_key(url), image_key(public_id)]))`,
  'drop index pod_images_url_idx',

  `update pod_images set url = images.url
     from images
    where image_key(pod_images.url) in (images.id, image_key(images.url)) and pod_images.url <> images.url`,
  // Images in use are no longer given up. Their files may still exist, as a sweep only removes them in its next run.
  `update images set discarded_at = null
    where discarded_at is not null
      and exists (
        select from pod_images
         where array[image_key(pod_images.url), image_key(public_id)] && array[images.id, image_key(images.url)]
      )`,
]
