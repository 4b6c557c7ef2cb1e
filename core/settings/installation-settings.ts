import { Type } from 'typebox'
import { setting } from '../contract/plugin.ts'

/** A part of a path without a name, as in /x/../y: links that begin with it would lead elsewhere. */
const unnamedPart = /\\|(?<!^https?:\/?)\/(\.|%2e){0,2}(\/|$)/i

/** Settings of the kernel itself. */
export const installationSettings = {
  public_url: setting(
    Type.Refine(
      Type.String({ pattern: '^(https?://[^\\s/?#]+(/[^\\s?#]*[^\\s/?#])?)?$', maxLength: 300 }),
      text => text === '' || (URL.canParse(text) && !unnamedPart.test(text)),
      () =>
        'must be an address such as https://example.org/blog: a host, a port up to 65535, and no //, /. or /.. in its path'
    ),
    {
      default: '',
      category: 'settings',
      describe: 'Address that readers use, as https://example.org, without a trailing slash; empty: where it listens.'
    }
  ),
  operator_timezone: setting(
    Type.Refine(Type.String({ maxLength: 64 }), isTimeZone, () => 'must be an IANA time zone such as Europe/Berlin'),
    {
      default: 'UTC',
      category: 'settings',
      describe: 'IANA time zone that times without an offset are read in, and that commands show times in.'
    }
  )
}

function isTimeZone(name: string): boolean {
  // Intl also takes offsets such as +02:00, which know no summer time.
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
