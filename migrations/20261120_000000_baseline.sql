--! up
-- Times are kept in milliseconds, as the API shows them: a cursor made from an answer compares exactly.
create extension if not exists vector;
-- Finds misspelt words. A server without it searches as well, and corrects less.
do $$ begin
  create extension if not exists pg_trgm;
exception when others then null;
end $$;

create table app_settings (
  key text primary key,
  value text not null,
  is_secret boolean not null default false,
  is_active boolean not null default true,
  category text not null default 'general',
  -- Of a secret that is sent to an address: the host it was set for; null while there has been no address yet.
  sent_to text,
  updated_at timestamptz(3) not null default now(),
  check (not is_secret or value like 'enc:v1:%')
);

create table oauth_clients (
  client_id text primary key,
  client_name text not null,
  scope text not null,
  secret_hash text not null,
  -- The consumer whose setting pair holds this client's credentials (cli, mcp, …); null for a client registered by hand.
  consumer text,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);
create unique index oauth_clients_consumer on oauth_clients (consumer) where revoked_at is null and consumer is not null;

create table revoked_tokens (
  jti text primary key,
  expires_at timestamptz(3) not null
);

create table idempotency_keys (
  client_id text not null,
  key text not null,
  request_hash text not null,
  -- Set in the transaction of the request's own change.
  is_done boolean not null default false,
  -- Null while the first request is still being answered.
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz(3) not null default now(),
  primary key (client_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  event_type text not null,
  actor text not null,
  details jsonb not null default '{}'
);
create index audit_log_at on audit_log (at, id);
create index audit_log_type on audit_log (event_type, at);

create table categories (
  slug text primary key,
  name text not null,
  description text not null default '',
  created_at timestamptz(3) not null default now()
);

-- Of everything readers see of a text: an approval names the hash of what was approved, and counts for that alone.
create function posts_content_hash(
  slug text, title text, excerpt text, content text, category text, tags text[],
  seo_title text, seo_description text, seo_keywords text[], featured_image_url text, language text, author text
) returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(jsonb_build_array(
    slug, title, excerpt, content, category, tags, seo_title, seo_description, seo_keywords, featured_image_url,
    language, author
  )::text, 'UTF8')), 'hex')
$$;

-- A text as search compares it: no punctuation, no accents on Latin letters, and the characters of scripts that are
-- written without blanks apart from each other. A pictograph, which the parser leaves out, becomes a word: its number three
-- times, so that no other is a misspelling of it. Queries are read by the same function.
create function search_text(given text) returns text language plpgsql immutable parallel safe strict as $$
declare
  bare text := regexp_replace(
    given, '[!-/:-@[-`{-~\u00a0«»‘’“”‚„…–—、。・「」『』〈〉《》！？：；，．（）]+', ' ', 'g'
  );
  pictograph text;
begin
  if octet_length(bare) = length(bare) then return bare; end if;
  bare := regexp_replace(normalize(bare, NFKD), '([A-Za-z])[\u0300-\u036f]+', '\1', 'g');
  bare := replace(replace(replace(translate(normalize(bare, NFC), 'øØłŁđĐıёЁÆŒẞ', 'oOlLdDiеЕæœß'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  for pictograph in
    select distinct matches.characters[1]
    from regexp_matches(bare, '[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff]', 'g') as matches (characters)
  loop
    bare := replace(bare, pictograph, ' ' || repeat('u' || to_hex(ascii(pictograph)), 3) || ' ');
  end loop;
  return regexp_replace(
    bare, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])',
    ' \1 ', 'g'
  );
end $$;

-- What the index is made with: one row, or none for english. While a change is under way, posts of both languages are found.
create table search_languages (
  language text primary key,
  is_current boolean not null
);
create unique index search_languages_current on search_languages (is_current) where is_current;

create table posts (
  post_id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  title text not null,
  excerpt text not null default '',
  content text not null,
  content_html text not null,
  status text not null,
  category text references categories (slug),
  tags text[] not null default '{}',
  -- Same order and length as tags.
  tag_slugs text[] not null default '{}',
  seo_title text,
  seo_description text,
  seo_keywords text[] not null default '{}',
  featured_image_url text,
  -- BCP 47; null for the setting site_language.
  language text,
  author text,
  published_at timestamptz(3),
  approved_at timestamptz(3),
  -- The content_hash that was approved.
  approved_hash text,
  awaiting_gate text,
  niche_slug text,
  -- A person gave the slot by force: it goes out without a niche, too.
  niche_waived boolean not null default false,
  word_count integer not null default 0,
  -- What readers are offered beside the text: podcast, video, video_short.
  media text[] not null default '{}',
  -- Of the media that were asked for last: null for none, pending, done, failed with the error. For clients with a token.
  media_state text,
  media_error text,
  metadata jsonb not null default '{}',
  -- The task that drafted it; null for a hand-made post.
  task_id uuid unique,
  -- Of body and operator, for the idempotency window of hand-made posts.
  body_hash text,
  created_by text not null default 'pipeline',
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Of the search index, which names posts by a small number; the trigger posts_prepare_search makes the other three.
  post_no integer not null generated by default as identity unique,
  search_language text not null default 'english',
  -- Title A, headings B, excerpt C, text D.
  search tsvector not null default '',
  search_words integer not null default 0,
  content_hash text not null generated always as (posts_content_hash(
    slug, title, excerpt, content, category, tags, seo_title, seo_description, seo_keywords, featured_image_url,
    language, author
  )) stored,
  constraint posts_status check (status in ('draft', 'awaiting_approval', 'approved', 'scheduled', 'published', 'archived')),
  constraint posts_slot check (status not in ('scheduled', 'published') or published_at is not null),
  constraint posts_gate check (awaiting_gate is null or status = 'scheduled')
);
create index posts_published on posts (published_at desc, post_id desc) where status = 'published';
create index posts_published_media on posts (published_at desc, post_id desc) where status = 'published' and media <> '{}';
create index posts_published_category on posts (category, published_at desc, post_id desc) where status = 'published';
create index posts_published_tags on posts using gin (tag_slugs) where status = 'published';
create index posts_scheduled on posts (published_at, post_id) where status = 'scheduled';
create index posts_status on posts (status, created_at desc, post_id desc);
create index posts_search_public on posts (post_no) include (published_at, search_words) where status = 'published';
-- Stored pictures that posts name: one is removed when no post does.
create index posts_image on posts (substring(featured_image_url from '/images/generated/([^/]+)$')) where featured_image_url is not null;
create index posts_with_images on posts (post_id) where strpos(content, '/images/generated/') > 0;
create index posts_body_hash on posts (body_hash, created_at desc) where body_hash is not null;

-- What is public, once: REST, GraphQL, feeds, search, export, media and sitemap all read this view.
create view public_posts as
  select * from posts where status = 'published' and published_at <= now();

-- Posts of any status with the columns of the search index. Search reads this view and the one above; the table belongs to
-- posts.
create view indexed_posts as
  select post_id, post_no, slug, title, excerpt, content, status, published_at, search_language, search, search_words
  from posts;

-- Embeddings of titles, for the duplicate check. One counts as long as the post has this title.
create table post_titles (
  post_id uuid primary key references posts (post_id) on delete cascade,
  title text not null,
  model text not null,
  embedding vector(768) not null
);

-- Texts past 200,000 characters are searched by their beginning: a tsvector has a megabyte at most.
create function posts_prepare_search() returns trigger language plpgsql as $$
declare
  config regconfig;
  body text := left(new.content, 200000);
  headings text;
  -- Between parts, so that no phrase reaches from one into the next. No text has a blank for a term.
  gap constant tsvector := ''' '':1';
begin
  if tg_op = 'INSERT' or new.search_language = old.search_language then
    new.search_language := coalesce((select language from search_languages where is_current), 'english');
  end if;
  config := new.search_language::regconfig;
  select string_agg(heading[1], ' ') into headings
  from regexp_matches(body, '^[ ]{0,3}#{1,6}[ \t]+(.+)$', 'gn') as heading;
  new.search :=
    setweight(to_tsvector(config, search_text(new.title)), 'A') || gap ||
    setweight(to_tsvector(config, search_text(coalesce(headings, ''))), 'B') || gap ||
    setweight(to_tsvector(config, search_text(new.excerpt)), 'C') || gap ||
    setweight(to_tsvector(config, search_text(body)), 'D');
  new.search := ts_delete(new.search, ' ');
  select coalesce(sum(cardinality(positions)), 0) into new.search_words from unnest(new.search);
  return new;
end $$;
create trigger posts_prepare_search before insert or update of title, excerpt, content, search_language on posts
  for each row execute function posts_prepare_search();

-- The inverted index of all posts, written with their text, so that publishing a post writes nothing here: what is public is
-- asked of posts. A posting is 10 bytes, most significant first: post_no (4), words of the post (2), how often excerpt and
-- text say the term (2), the title (1), headings (1).
create table post_terms (
  term text collate "C" not null,
  post_no integer not null,
  posting bytea not null,
  primary key (term, post_no) include (posting)
);

create function posts_remove_terms(post posts) returns void language sql as $$
  delete from post_terms where post_no = post.post_no and term = any(tsvector_to_array(post.search))
$$;
create function posts_posting(post_no integer, words integer, weights text[]) returns bytea language sql immutable as $$
  select int4send(post_no) || int2send(least(words, 32767)::int2)
    || int2send((cardinality(array_positions(weights, 'C')) + cardinality(array_positions(weights, 'D')))::int2)
    || int2send((least(cardinality(array_positions(weights, 'A')), 127) * 256
      + least(cardinality(array_positions(weights, 'B')), 255))::int2)
$$;
create function posts_follow_search() returns trigger language plpgsql as $$
begin
  perform posts_remove_terms(old);
  if tg_op = 'UPDATE' then
    insert into post_terms (term, post_no, posting)
    select lexeme, new.post_no, posts_posting(new.post_no, new.search_words, weights)
    from unnest(new.search) where length(lexeme) <= 100;
  end if;
  return null;
end $$;
-- New posts together, in the order of the index: many at once take two thirds of the time.
create function posts_index_inserted() returns trigger language plpgsql as $$
begin
  insert into post_terms (term, post_no, posting)
  select lexeme, post_no, posts_posting(post_no, search_words, weights)
  from inserted, unnest(search) where length(lexeme) <= 100 order by lexeme, post_no;
  return null;
end $$;
create trigger posts_insert_search after insert on posts referencing new table as inserted
  for each statement execute function posts_index_inserted();
create trigger posts_update_search after update of title, excerpt, content, search_language on posts
  for each row when (old.search is distinct from new.search) execute function posts_follow_search();
create trigger posts_delete_search after delete on posts
  for each row execute function posts_follow_search();

-- Every word there ever was in a published post with the term it is indexed by, and every such term: what misspelt and
-- unfinished words are compared with. An ending is misspelt as often as what the term keeps.
create table post_words (
  word text collate "C" not null,
  term text collate "C" not null,
  primary key (word, term)
);
do $$ begin
  create index post_words_trigrams on post_words using gin (word gin_trgm_ops);
exception when undefined_object then null;
end $$;

-- Words that may be what a misspelt word means. Short words share too few trigrams with their kin, and so do those of six
-- letters when two are swapped.
create function posts_words_like(wanted text) returns setof post_words language plpgsql stable as $$
begin
  if length(wanted) > 5 then
    return query select * from post_words where word = any(array(
      select overlay(wanted placing substr(wanted, at + 1, 1) || substr(wanted, at, 1) from at for 2)
      from generate_series(1, length(wanted) - 1) at
    ));
    begin
      return query select * from post_words where word % wanted order by similarity(word, wanted) desc, word limit 50;
      return;
    exception when undefined_function then null;
    end;
  end if;
  return query select * from post_words
    where word >= left(wanted, 1) and word < left(wanted, 1) || U&'\FFFF'
      and length(word) between length(wanted) - 1 and length(wanted) + 1
    order by word limit 5000;
end $$;

-- Slugs a post used to have: readers are sent on to the present one.
create table post_slugs (
  slug text primary key,
  post_id uuid not null references posts (post_id) on delete cascade,
  retired_at timestamptz(3) not null default now()
);

-- Posts that came from another system, by what they are called there: they are not imported again.
create table imported_posts (
  system text not null,
  -- Tells the ids of one site from those of another; empty where ids are unique in the world.
  site text not null,
  source_id text not null,
  post_id uuid not null references posts (post_id) on delete cascade,
  imported_at timestamptz(3) not null default now(),
  primary key (system, site, source_id)
);
create index imported_posts_post on imported_posts (post_id);

-- Where posts were found before they were imported: paths, decoded, without a last slash.
create table redirects (
  path text primary key,
  post_id uuid not null references posts (post_id) on delete cascade
);
create index redirects_post on redirects (post_id);

create table post_history (
  id bigint generated always as identity primary key,
  post_id uuid not null references posts (post_id) on delete cascade,
  -- Not the transaction's beginning: the publisher's lateness is read from it.
  at timestamptz(3) not null default clock_timestamp(),
  action text not null,
  from_status text,
  to_status text not null,
  actor text not null,
  detail jsonb not null default '{}'
);
create index post_history_post on post_history (post_id, id);
create index post_history_released on post_history (at) where action = 'release';

create table tasks (
  task_id uuid primary key default gen_random_uuid(),
  topic text not null,
  category text,
  tags text[] not null default '{}',
  primary_keyword text,
  target_length integer not null,
  style text not null,
  tone text not null,
  target_audience text,
  niche_slug text,
  source text not null default 'api',
  status text not null,
  awaiting_gate text,
  -- The pipeline step that runs or ran last, or awaiting_budget.
  stage text,
  -- The step that goes on when there is room in the budget.
  waiting_stage text,
  progress integer not null default 0,
  -- 1 at first, one more for each regeneration and each retry.
  attempt integer not null default 1,
  feedback text,
  reason text,
  qa jsonb,
  title text,
  excerpt text,
  content text,
  -- Whether the checks have come to a verdict on the text: a retry goes on with one that has none.
  checked boolean not null default false,
  -- The texts the draft was written from, by the writer's numbers.
  sources jsonb not null default '[]',
  post_id uuid,
  publish_at timestamptz(3),
  error text,
  metadata jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  constraint tasks_status check (status in (
    'pending', 'in_progress', 'awaiting_gate', 'awaiting_approval', 'approved', 'published',
    'rejected', 'rejected_retry', 'rejected_final', 'dismissed', 'failed'
  )),
  constraint tasks_gate check ((status = 'awaiting_gate') = (awaiting_gate is not null)),
  constraint tasks_slot check (publish_at is null or status in ('approved', 'published')),
  constraint tasks_waiting check ((stage is not distinct from 'awaiting_budget') = (waiting_stage is not null))
);
create index tasks_created on tasks (created_at desc, task_id desc);
create index tasks_status on tasks (status, created_at desc, task_id desc);
create unique index tasks_post on tasks (post_id) where post_id is not null;

create table pipeline_events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  task_id uuid not null references tasks (task_id) on delete cascade,
  type text not null,
  from_status text,
  to_status text,
  actor text not null,
  detail jsonb not null default '{}'
);
create index pipeline_events_task on pipeline_events (task_id, id);
create index pipeline_events_type on pipeline_events (type, id);
create index pipeline_events_at on pipeline_events (at);

create table gate_history (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  gate_name text not null,
  subject_type text not null,
  subject_id uuid not null,
  decision text not null,
  actor text not null,
  reason text,
  -- Of what was held or decided on; null where that cannot change.
  content_hash text
);
create index gate_history_subject on gate_history (subject_id, id);
create index gate_history_gate on gate_history (gate_name, id desc);

create table memory_entries (
  entry_id uuid primary key default gen_random_uuid(),
  source_table text not null,
  source_id text not null,
  writer text not null,
  title text,
  url text,
  text text not null,
  content_hash text not null,
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (source_table, source_id) include (entry_id),
  constraint memory_entries_source check (source_table in ('brain', 'audit', 'posts', 'memory', 'claude_sessions', 'issues'))
);
-- Filters find the entries of their vectors without reading a text.
create index memory_entries_writer on memory_entries (writer, source_table, entry_id);
create index memory_entries_newest on memory_entries (created_at desc, entry_id desc);
create index memory_entries_tags on memory_entries using gin (tags);

create table memory_chunks (
  entry_id uuid not null references memory_entries (entry_id) on delete cascade,
  chunk integer not null,
  text text not null,
  search tsvector generated always as (to_tsvector('english', text)) stored,
  primary key (entry_id, chunk)
);
create index memory_chunks_search on memory_chunks using gin (search);
-- The same passage is not sent to an embeddings endpoint twice.
create index memory_chunks_text on memory_chunks (md5(text));

-- The models there are vectors of. Searches use the one that serves until the chosen one has a vector for every passage.
create table memory_models (
  model text primary key,
  embedder text not null,
  origin jsonb not null default '{}',
  is_serving boolean not null default false,
  -- Who makes its vectors.
  leased_by text,
  leased_until timestamptz(3)
);
create unique index memory_models_serving on memory_models (is_serving) where is_serving;

create table memory_embeddings (
  entry_id uuid not null,
  chunk integer not null,
  model text not null,
  embedding vector(768) not null,
  primary key (entry_id, chunk, model),
  foreign key (entry_id, chunk) references memory_chunks (entry_id, chunk) on delete cascade
);
-- Passages an embedder will not take, so that one does not keep the others from their vectors.
create table memory_refusals (
  entry_id uuid not null,
  chunk integer not null,
  model text not null,
  reason text not null,
  refused_at timestamptz(3) not null default now(),
  primary key (entry_id, chunk, model),
  foreign key (entry_id, chunk) references memory_chunks (entry_id, chunk) on delete cascade
);
-- Passages that wait for a vector by the model that serves: until then searches find them by their words.
create table memory_waiting (
  entry_id uuid not null,
  chunk integer not null,
  since timestamptz(3) not null default now(),
  primary key (entry_id, chunk),
  foreign key (entry_id, chunk) references memory_chunks (entry_id, chunk) on delete cascade
);
create index memory_waiting_since on memory_waiting (since);
-- Comparing reads every vector: in a table beside, each costs four times as much.
alter table memory_embeddings alter column embedding set storage plain;
-- Texts on one topic are near to each other: with the usual 64 for ef_construction they may know nobody else, and a walk
-- never meets them.
create index memory_embeddings_hnsw on memory_embeddings using hnsw (embedding vector_cosine_ops)
  with (m = 16, ef_construction = 200);

-- The inbox: every delivery of another system whose signature was right.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- In the order in which they came.
  number bigint generated always as identity,
  source text not null,
  -- What the sender knows it by, else a hash of its bytes: a redelivery has the same.
  event_id text not null,
  event_type text not null,
  -- What it is about, and when that happened by the sender's clock. Of two at the same time the one with the higher rank is later.
  object text,
  occurred_at timestamptz(3),
  rank integer not null default 0,
  -- As it came; null once it was removed, because of its age or for room.
  body bytea,
  body_bytes integer not null,
  state text not null default 'waiting',
  attempts integer not null default 0,
  -- Of one that a process has claimed: when the claim lapses.
  not_before timestamptz(3) not null default now(),
  claim uuid,
  error text,
  deliveries integer not null default 1,
  replays integer not null default 0,
  received_at timestamptz(3) not null default now(),
  last_received_at timestamptz(3) not null default now(),
  handled_at timestamptz(3),
  unique (source, event_id),
  constraint webhook_deliveries_state check (state in ('waiting', 'handled', 'late', 'parked'))
);
create index webhook_deliveries_waiting on webhook_deliveries (not_before, number) where state = 'waiting';
create index webhook_deliveries_parked on webhook_deliveries (received_at) where state = 'parked';
create index webhook_deliveries_newest on webhook_deliveries (received_at, id);
create index webhook_deliveries_bodies on webhook_deliveries (received_at) where body is not null;

-- The latest event of each object: one with an earlier time changes nothing.
create table webhook_objects (
  source text not null,
  object text not null,
  occurred_at timestamptz(3) not null,
  rank integer not null,
  primary key (source, object)
);

create table alert_events (
  -- Of the delivery.
  id uuid primary key default gen_random_uuid(),
  source text not null,
  event_id text not null,
  event_type text not null,
  payload jsonb not null,
  received_at timestamptz(3) not null default now(),
  unique (source, event_id)
);
create table revenue_events (
  id uuid primary key default gen_random_uuid(),
  source text not null,
  event_id text not null,
  event_type text not null,
  payload jsonb not null,
  received_at timestamptz(3) not null default now(),
  -- What was read from it; null where it is about no money.
  kind text,
  object text,
  amount numeric,
  currency text,
  plan text,
  occurred_at timestamptz(3),
  -- False where a later event of the same object says otherwise.
  is_counted boolean not null default false,
  unique (source, event_id),
  constraint revenue_events_kind check (kind in ('payment', 'refund'))
);
create index revenue_events_counted on revenue_events (occurred_at) where is_counted;
create index revenue_events_object on revenue_events (source, object) where is_counted;
create table subscriber_events (
  id uuid primary key default gen_random_uuid(),
  source text not null,
  event_id text not null,
  event_type text not null,
  payload jsonb not null,
  received_at timestamptz(3) not null default now(),
  -- What was read from it; null where it is about no mail to an address.
  kind text,
  email text,
  is_permanent boolean,
  message_id text,
  occurred_at timestamptz(3),
  unique (source, event_id),
  constraint subscriber_events_kind
    check (kind in ('delivered', 'deferred', 'bounced', 'complained', 'unsubscribed', 'opened', 'clicked'))
);
create index subscriber_events_email on subscriber_events (lower(email)) where email is not null;

-- Groups of alerts that the chat was told of.
create table alert_groups (
  group_key text primary key,
  -- By fingerprint: name, status, and when that began.
  alerts jsonb not null,
  is_firing boolean not null,
  -- The message that began the thread.
  thread text,
  told_at timestamptz(3),
  updated_at timestamptz(3) not null default now()
);

-- Covers that were made for posts.
create table media_covers (
  post_id uuid primary key references posts (post_id) on delete cascade,
  -- In the folder images of the media store. Posts with the same title may share it.
  filename text not null,
  -- Of all it was made from.
  source_hash text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  -- False once the file was removed, because the post is not public.
  is_stored boolean not null default true,
  -- The post had it as its picture when it was withdrawn: it returns with the post.
  is_taken_back boolean not null default false,
  made_at timestamptz(3) not null default now()
);
create index media_covers_filename on media_covers (filename);

-- Messages to the operator, with what became of each.
create table notify_messages (
  id bigint generated always as identity primary key,
  -- What it tells of: a channel gets one message of each.
  source text not null,
  channel text not null,
  notice jsonb not null,
  -- What waits, when it tells of that.
  gate_name text,
  subject_id text,
  content_hash text,
  reply_to text,
  -- The source of an earlier message that it goes on from.
  thread text,
  -- What it is of, for those that are combined when there are many: held, failed or alert.
  kind text,
  -- How many messages it replaces; 0: none.
  combined_count integer not null default 0,
  combined_into bigint,
  state text not null default 'pending',
  attempts integer not null default 0,
  -- Sendings that got no answer: each of them may have arrived.
  unanswered integer not null default 0,
  not_before timestamptz(3) not null default now(),
  -- Until then no other message of the channel is tried: the service is away, or asked to wait.
  holds_channel boolean not null default false,
  -- A test message: when its process ends while sending, it is not sent again.
  is_sent_once boolean not null default false,
  claim uuid,
  claimed_at timestamptz(3),
  -- The chat service's own id.
  message_id text,
  error text,
  -- What became of its item, and when the sent message is edited to show it.
  outcome text,
  edit_due_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  unique (source, channel),
  constraint notify_messages_state check (state in ('pending', 'sending', 'sent', 'unknown', 'failed', 'dropped', 'combined'))
);
create index notify_messages_waiting on notify_messages (channel, id) where state in ('pending', 'sending');
create index notify_messages_recent on notify_messages (channel, kind, sent_at) where kind is not null;
create index notify_messages_to_edit on notify_messages (channel, edit_due_at) where edit_due_at is not null;
create index notify_messages_subject on notify_messages (gate_name, subject_id, id) where subject_id is not null;

-- Who takes commands from which bot, and how far they were handled.
create table notify_pollers (
  bot text primary key,
  job_id uuid not null,
  claim uuid not null,
  lease_expires_at timestamptz(3) not null,
  next_update_id bigint not null default 0,
  -- A command that was begun and not ended.
  begun_update_id bigint,
  updated_at timestamptz(3) not null default now()
);

-- One row: who writes the static export now, and how it went. The lease outlives its process by seconds only.
-- withdrawals counts posts that were withdrawn, withdrawals_shown those that the export names nowhere any more.
create table export_state (
  id boolean primary key default true check (id),
  holder uuid,
  expires_at timestamptz(3),
  target text,
  report jsonb,
  finished_at timestamptz(3),
  failure text,
  failed_at timestamptz(3),
  verified jsonb,
  verified_at timestamptz(3),
  withdrawals int not null default 0,
  withdrawals_shown int not null default 0
);

-- Rebuilds of the export that went on when their callers were answered. One that is not seen any more has lost its process.
create table export_rebuilds (
  job_id uuid primary key,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  posts integer not null default 0,
  report jsonb,
  error text,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);

-- Media that were asked for: one row for a text and a set of kinds.
create table media_jobs (
  job_id uuid primary key default gen_random_uuid(),
  post_id uuid not null,
  -- In order: podcast, video, video_short, image.
  media text[] not null,
  -- Of the text and the voice that they depend on.
  hash text not null,
  state text not null default 'pending',
  -- Percent.
  progress integer not null default 0,
  error text,
  requested_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (post_id, media, hash),
  constraint media_jobs_state check (state in ('pending', 'running', 'done', 'failed', 'replaced', 'withdrawn', 'removed'))
);
create index media_jobs_newest on media_jobs (created_at desc, job_id desc);
create index media_jobs_failed on media_jobs (updated_at) where state = 'failed';

-- The files that readers get of a post, by the ending of their address: mp3, vtt, srt, json, chapters.json, mp4, short.mp4.
create table media_files (
  post_id uuid not null,
  extension text not null,
  -- podcast, video, video_short or image.
  kind text not null,
  hash text not null,
  -- Its name in the media store.
  key text not null,
  bytes bigint not null,
  duration_ms integer,
  made_at timestamptz(3) not null default now(),
  primary key (post_id, extension)
);
create index media_files_key on media_files (key);

-- Files that an operator put into the media store as episodes/{post_id}.{extension}, as they were last seen there.
create table media_placed_files (
  post_id uuid not null,
  extension text not null,
  bytes bigint not null,
  primary key (post_id, extension)
);

-- The picture of the podcast that is drawn while podcast_image_url is empty: one row, or none.
create table media_podcast_art (
  is_only boolean primary key default true check (is_only),
  -- In the folder images of the media store.
  filename text not null,
  -- Of all it was made from.
  source_hash text not null
);

-- What a front end, a CDN or a hub has to be told of, by target: one row for a path or tag, however often it changed.
create table revalidation_waiting (
  target text not null,
  key text not null,
  tags text[] not null default '{}',
  attempts integer not null default 0,
  not_before timestamptz(3) not null default now(),
  claim uuid,
  claimed_at timestamptz(3),
  -- It changed while it was being sent: it is sent again.
  has_changed_again boolean not null default false,
  -- Given up after a day, until the target answers again.
  is_parked boolean not null default false,
  waits_since timestamptz(3) not null default now(),
  primary key (target, key)
);
create index revalidation_waiting_due on revalidation_waiting (target, attempts, waits_since) where not is_parked;

-- The last attempt to tell each target.
create table revalidation_targets (
  target text primary key,
  -- In a row.
  failures integer not null default 0,
  -- Until then it is left alone.
  not_before timestamptz(3) not null default now(),
  last_status integer,
  last_error text,
  last_sent_at timestamptz(3),
  last_success_at timestamptz(3)
);

-- Of everything readers see of a static page, as posts_content_hash is of a post.
create function site_pages_content_hash(slug text, title text, language text, content text)
returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(jsonb_build_array(slug, title, language, content)::text, 'UTF8')), 'hex')
$$;

-- The static pages of the site as they were last written. Readers get site_approved_pages.
create table site_pages (
  slug text primary key,
  title text not null,
  -- BCP 47; null for the setting site_language.
  language text,
  content text not null,
  content_html text not null,
  updated_at timestamptz(3) not null default now(),
  updated_by text not null,
  content_hash text not null generated always as (site_pages_content_hash(slug, title, language, content)) stored
);

-- The posts related to a public post, as its exported page shows them. `revision` is the post's when they were found, and
-- `among` how many public posts there were.
create table site_related (
  post_id uuid primary key,
  revision integer not null,
  among integer not null,
  related uuid[] not null
);

-- Of each page the version that an operator approved last.
create table site_approved_pages (
  slug text primary key references site_pages (slug) on delete cascade,
  title text not null,
  language text,
  content text not null,
  content_html text not null,
  approved_at timestamptz(3) not null default now(),
  approved_by text not null,
  content_hash text not null generated always as (site_pages_content_hash(slug, title, language, content)) stored
);

-- Who gets the newsletter, or was asked whether to. Somebody who was erased has no row here.
create table newsletter_subscribers (
  subscriber_id uuid primary key default gen_random_uuid(),
  email text not null,
  -- Of the address in lower case, with the secret newsletter_key.
  email_hash text not null unique,
  name text,
  status text not null default 'pending',
  status_at timestamptz(3) not null default now(),
  -- form or import.
  source text not null,
  created_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  constraint newsletter_subscribers_status
    check (status in ('pending', 'active', 'paused', 'unsubscribed', 'bounced', 'complained'))
);
create index newsletter_subscribers_active on newsletter_subscribers (subscriber_id) where status = 'active';
create index newsletter_subscribers_newest on newsletter_subscribers (created_at desc, subscriber_id desc);

-- Sign-ups as they came, until a job has handled them: no answer takes longer for one address than for another.
create table newsletter_signups (
  signup_id bigint generated always as identity primary key,
  email text not null,
  name text,
  source text not null,
  created_at timestamptz(3) not null default now()
);

-- The mail that asks for the confirmation: one row for a subscriber, with the last one.
create table newsletter_confirmations (
  subscriber_id uuid primary key references newsletter_subscribers (subscriber_id) on delete cascade,
  -- Of the mailbox that the address is delivered to, with the secret newsletter_key: ada+news@ is ada@.
  mailbox_hash text not null,
  state text not null default 'queued',
  -- Of the token in the link, once it was made.
  token_hash text unique,
  attempts integer not null default 0,
  not_before timestamptz(3) not null default now(),
  requested_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  constraint newsletter_confirmations_state check (state in ('queued', 'sending', 'sent', 'failed'))
);
create index newsletter_confirmations_mailbox on newsletter_confirmations (mailbox_hash, requested_at);
create index newsletter_confirmations_queued on newsletter_confirmations (not_before) where state = 'queued';

-- Addresses that get no mail, whoever asks: erased, bounced for good, or complained.
create table newsletter_suppressions (
  email_hash text primary key,
  reason text not null,
  created_at timestamptz(3) not null default now(),
  constraint newsletter_suppressions_reason check (reason in ('erased', 'bounced', 'complained'))
);

-- Solved challenges, until they expire: each counts once.
create table newsletter_challenges (
  challenge text primary key,
  expires_at timestamptz(3) not null
);
create index newsletter_challenges_expiry on newsletter_challenges (expires_at);

-- How many sign-ups (signup) and mails (mail) there were in each minute of the last two days.
create table newsletter_rates (
  kind text not null,
  minute timestamptz(0) not null,
  count integer not null,
  primary key (kind, minute)
);

-- One row: who sends now, and in which database this was last done.
create table newsletter_state (
  id boolean primary key default true check (id),
  -- When newsletter_key was made.
  key_made_at timestamptz(3),
  holder uuid,
  expires_at timestamptz(3),
  -- Another database than before: this is a copy, or a backup that was restored.
  database_id text,
  -- When that was noticed last: what was mailed before may not be known here.
  restored_at timestamptz(3),
  -- When it was last looked for posts for a digest.
  digest_at timestamptz(3)
);

-- One row for a mail to all subscribers: the mail as it was approved.
create table newsletter_sends (
  send_id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- Null for a digest.
  post_id uuid,
  -- All posts in it.
  post_ids uuid[] not null,
  subject text not null,
  html text not null,
  text text not null,
  content_hash text not null,
  status text not null,
  -- Why it is paused, rejected or cancelled.
  reason text,
  is_automatic boolean not null default false,
  requested_by text not null,
  created_at timestamptz(3) not null default now(),
  -- Not before; an operator's choice.
  send_at timestamptz(3) not null default now(),
  -- Not before; after a failure of the mail server, or at a limit.
  not_before timestamptz(3) not null default now(),
  failures integer not null default 0,
  last_error text,
  approved_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint newsletter_sends_kind check (kind in ('post', 'digest')),
  constraint newsletter_sends_status
    check (status in ('held', 'scheduled', 'sending', 'paused', 'finished', 'rejected', 'cancelled'))
);
create index newsletter_sends_newest on newsletter_sends (created_at desc, send_id desc);
create index newsletter_sends_open on newsletter_sends (status, send_at) where status in ('held', 'scheduled', 'sending');
create index newsletter_sends_unsent_posts on newsletter_sends using gin (post_ids)
  where status in ('held', 'scheduled', 'sending', 'paused');
create index newsletter_sends_digests on newsletter_sends (created_at) where kind = 'digest';
-- A post is mailed on its publication once, however often it is published.
create unique index newsletter_sends_automatic on newsletter_sends (post_id) where is_automatic and kind = 'post';

-- A row for every recipient of a mail. All numbers are counted from these rows.
create table newsletter_recipients (
  send_id uuid not null references newsletter_sends (send_id) on delete cascade,
  -- Stays when the subscriber is erased: it says nothing about a person.
  subscriber_id uuid not null,
  state text not null default 'queued',
  -- The holder of the lease that sends it.
  claim uuid,
  attempts integer not null default 0,
  not_before timestamptz(3) not null default now(),
  -- How often the server got the text, or may have got it, and its answer was lost: so often it may have come once more.
  unanswered integer not null default 0,
  -- What was refused or bounced may work the next time.
  is_soft boolean not null default false,
  -- What the server said last, without addresses.
  response text,
  updated_at timestamptz(3) not null default now(),
  primary key (send_id, subscriber_id),
  constraint newsletter_recipients_state check (
    state in ('queued', 'sending', 'sent', 'unanswered', 'refused', 'bounced', 'complained', 'suppressed')
  )
);
create index newsletter_recipients_queued on newsletter_recipients (send_id, not_before, subscriber_id)
  where state = 'queued';
create index newsletter_recipients_sending on newsletter_recipients (send_id) where state = 'sending';
create index newsletter_recipients_unanswered on newsletter_recipients (send_id) where unanswered > 0;
create index newsletter_recipients_subscriber on newsletter_recipients (subscriber_id, updated_at desc);

-- Views of posts by day: totals, by post, and by where readers came from, their country, or the kind of machine.
create table analytics_days (
  day date primary key,
  -- By readers.
  views bigint not null,
  machines bigint not null
);
create table analytics_posts (
  day date not null,
  post_id uuid not null references posts (post_id) on delete cascade,
  views integer not null,
  machines integer not null,
  primary key (day, post_id)
);
create table analytics_facets (
  day date not null,
  kind text not null check (kind in ('referrer', 'country', 'machine')),
  name text not null,
  views bigint not null,
  primary key (day, kind, name)
);

-- Requests to models, voices and image models, and what each cost. Amounts are of the currency, exact.
create table cost_calls (
  call_id uuid primary key default gen_random_uuid(),
  at timestamptz(3) not null default clock_timestamp(),
  status text not null default 'reserved',
  kind text not null,
  model text not null,
  -- What it was made for; rows of others may be gone by now.
  task_id uuid,
  attempt integer,
  part text,
  post_id uuid,
  niche_slug text not null default '',
  -- Those of the time zone then: it counts in them whatever changes later.
  month text not null,
  day text not null,
  reserved numeric(30, 12) not null,
  -- What counts in the budgets: at first what is reserved.
  amount numeric(30, 12) not null,
  -- Where the amount is from: the price of the reported usage, the worst case, nothing charged, or a correction.
  basis text not null default 'worst_case',
  is_priced boolean not null,
  usage jsonb,
  -- Renewed while the process lives that made it.
  lease_until timestamptz(3) not null,
  settled_at timestamptz(3),
  constraint cost_calls_status check (status in ('reserved', 'settled', 'expired')),
  constraint cost_calls_kind check (kind in ('chat', 'embedding', 'speech', 'image')),
  constraint cost_calls_basis check (basis in ('usage', 'worst_case', 'nothing', 'correction'))
);
create index cost_calls_newest on cost_calls (at desc, call_id desc);
create index cost_calls_task on cost_calls (task_id, attempt) where task_id is not null;
create index cost_calls_post on cost_calls (post_id) where post_id is not null;
create index cost_calls_reserved on cost_calls (lease_until) where status = 'reserved';

-- Sums of the calls of a month or a day: a request locks its rows here, so that no two pass a budget together.
create table cost_periods (
  -- 2026-11 or 2026-11-23.
  period text not null,
  -- Empty for all niches together.
  niche_slug text not null,
  spent numeric(30, 12) not null default 0,
  reserved numeric(30, 12) not null default 0,
  primary key (period, niche_slug)
);

-- What waits for room in a budget.
create table cost_waits (
  kind text not null,
  id text not null,
  call_kind text not null,
  model text not null,
  size text,
  niche_slug text not null,
  -- Null while the model has no price.
  amount numeric(30, 12),
  since timestamptz(3) not null default clock_timestamp(),
  primary key (kind, id)
);

-- Amounts that somebody corrected.
create table cost_corrections (
  id bigint generated always as identity primary key,
  call_id uuid not null references cost_calls (call_id) on delete cascade,
  at timestamptz(3) not null default clock_timestamp(),
  actor text not null,
  from_amount numeric(30, 12) not null,
  to_amount numeric(30, 12) not null,
  reason text not null
);
create index cost_corrections_call on cost_corrections (call_id);
