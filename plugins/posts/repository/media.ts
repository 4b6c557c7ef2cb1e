import type { Queryable, Tx } from '#core'
import type { MediaChange } from '../contract/media.ts'

interface ChangedMedia {
  slug: string
  /** Another list of kinds. The state alone is seen with a token only. */
  has_other_kinds: boolean
  /** Another list of kinds, and the post is public. */
  is_offered_anew: boolean
}

/** Undefined where nothing changed. The revision counts up for the state as well: the entity tag of clients with a token has it. */
export async function updateMedia(
  tx: Tx,
  post_id: string,
  { media, state, error = null }: MediaChange
): Promise<ChangedMedia | undefined> {
  const [row] = await tx.query<ChangedMedia>(
    `update posts set media = $2::text[], media_state = after.state, media_error = after.error, revision = posts.revision + 1
     from (
       select post_id, media, case when $5 then $3::text else media_state end as state,
         case when $5 then $4::text else media_error end as error
       from posts where post_id = $1 for update
     ) as after
     where posts.post_id = after.post_id
       and (posts.media, posts.media_state, posts.media_error) is distinct from ($2::text[], after.state, after.error)
     returning slug, after.media <> posts.media as has_other_kinds,
       after.media <> posts.media and status = 'published' and published_at <= clock_timestamp() as is_offered_anew`,
    [post_id, media, state ?? null, error, state !== undefined]
  )
  return row
}

/** Whether any post names a stored picture, as its own or in its text, whatever the address of the service was then. */
export async function isImageNamed(db: Queryable, filename: string): Promise<boolean> {
  const rows = await db.query(
    `select from posts where substring(featured_image_url from '/images/generated/([^/]+)$') = $1
     union all
     select from posts where strpos(content, '/images/generated/') > 0 and strpos(content, '/images/generated/' || $1) > 0
     limit 1`,
    [filename]
  )
  return rows.length > 0
}

/** Some of the pictures that public posts name at an address of a service: their files. */
export interface NamedPictures {
  address: string
  filenames: string[]
}

const textsLookedAt = 1000
/** Posts may name pictures at as many addresses as they like. */
const maxAddresses = 100
/** Some may be gone that others follow. */
const picturesLookedAt = 10
/** With an address that can be copied into a command, and that `former_public_urls` can list. */
const namedPicture = '(https?://[^\\s"\'`()<>,$\\\\]{1,255})/images/generated/([0-9a-f]{64}[.][a-z]+)'

/** The addresses that public posts name stored pictures at, 100 at most: as their own, and in the texts of the newest. */
export function listPictureAddresses(db: Queryable): Promise<NamedPictures[]> {
  return db.query<NamedPictures>(
    `select address, (array_agg(distinct filename))[:$3] as filenames from (
       select part[1] as address, part[2] as filename from public_posts,
         regexp_match(featured_image_url, '^' || $4 || '$') as part
       union all
       select part[1], part[2] from (
         select content from public_posts order by published_at desc, post_id desc limit $1
       ) as newest, regexp_matches(
         case when strpos(content, '/images/generated/') > 0 then content else '' end,
         $4, 'g'
       ) as part
     ) as named where address is not null group by address order by address limit $2`,
    [textsLookedAt, maxAddresses, picturesLookedAt, namedPicture]
  )
}

/** What `posts create --media` noted of these posts. */
export function listAskedMedia(
  db: Queryable,
  post_ids: readonly string[]
): Promise<{ post_id: string; media: string[] }[]> {
  return db.query(
    `select post_id, array(select jsonb_array_elements_text(metadata -> 'media_to_generate')) as media from posts
     where post_id = any($1::uuid[]) and jsonb_typeof(metadata -> 'media_to_generate') = 'array'`,
    [post_ids]
  )
}
