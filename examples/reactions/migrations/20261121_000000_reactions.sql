--! up
create table reactions (
  reaction_id uuid primary key default gen_random_uuid(),
  post_id uuid not null references posts (post_id) on delete cascade,
  kind text not null,
  note text,
  status text not null,
  created_at timestamptz not null default now(),
  constraint reactions_status check (status in ('shown', 'held', 'rejected'))
);
create index reactions_of_post on reactions (post_id, kind) where status = 'shown';
create index reactions_held on reactions (created_at, reaction_id) where status = 'held';

--! down
drop table reactions;
