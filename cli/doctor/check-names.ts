/** The checks of `galley doctor` itself: a plugin's has another name. */
export const checkNames: readonly string[] = [
  'home',
  'configuration',
  'disk',
  'restores',
  'service',
  'database',
  'plugins',
  'settings',
  'proxies',
  'server version',
  'pgvector',
  'migrations',
  'clock',
  'secrets',
  'queues',
  'parked jobs'
]
