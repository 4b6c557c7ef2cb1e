/** Checks that are the kernel's own: a plugin's has another name. */
export const kernelChecks = [
  ...['home', 'configuration', 'disk', 'restores', 'service', 'database', 'plugins', 'settings', 'proxies'],
  ...['server version', 'pgvector', 'migrations', 'clock', 'secrets', 'queues', 'parked jobs']
]
