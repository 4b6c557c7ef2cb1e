/** The line of `galley doctor` in help. It stands beside the names so that help loads no check. */
export const doctorDescribe = 'Look for what is wrong, and say what to do about it'

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
  'writes',
  'pgvector',
  'migrations',
  'clock',
  'secrets',
  'queues',
  'parked jobs'
]
