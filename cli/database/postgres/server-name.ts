/** A database for messages: what it is called, and where; never its login or password. */
export function databaseName(url: string | undefined): string {
  if (url === undefined || url === '') return 'the embedded database'
  if (!URL.canParse(url)) return 'the database server'
  const { hostname, port, pathname, searchParams } = new URL(url)
  // libpq's way to name a folder of sockets.
  const host = hostname === '' ? (searchParams.get('host') ?? 'this machine') : hostname
  return `the database ${decoded(pathname.slice(1))} on ${host.startsWith('/') ? host : `${host}:${port || 5432}`}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
