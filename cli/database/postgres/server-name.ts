/** A database for messages: what it is called, and where; never its login or password. */
export function databaseName(url: string | undefined): string {
  if (url === undefined || url === '') return 'the embedded database'
  if (!URL.canParse(url)) return 'the database server'
  const { hostname, port, pathname, searchParams, username } = new URL(url)
  // libpq's way to name a folder of sockets.
  const host = hostname === '' ? (searchParams.get('host') ?? 'this machine') : hostname
  // The driver takes the one called like the login where the URL names none.
  const name = decoded(pathname.slice(1)) || decoded(username) || 'of the login'
  return `the database ${name} on ${host.startsWith('/') ? host : `${host}:${port || 5432}`}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
