import type { Settings } from '#core'
import type { cdnSettings } from '../settings.ts'
import type { CdnDriver } from './cdn.ts'

/** Varnish's own `200 Purged` is a page, and of one address: not of tags. */
const purgeConfirmation = /\b(?:invalidated|banned|ban added)\b/i
const markup = /[<{]/

/**
 * Varnish with vmod_xkey: a PURGE with the tags in `xkey-purge`. Who may purge is said in its VCL, which answers as the vmod's
 * documentation has it: `Invalidated 3 objects`.
 */
export function createVarnish(settings: Settings<typeof cdnSettings>): CdnDriver {
  const address = () => settings.get('varnish_url')
  return {
    name: 'varnish',
    addressSetting: 'varnish_url',
    tagHeader: 'xkey',
    // So many long tags fit the 8 kB that it takes for a header by default.
    maxTags: 80,
    isSetUp: () => address() !== '',
    address,
    secretFault: () => null,
    refusedFor: 'its VCL does not let this address purge.',
    requestFor: tags => ({ url: address(), method: 'PURGE', headers: { 'xkey-purge': tags.join(' ') } }),
    // Without such a VCL the request may reach a page, which answers 200 as well. What a VCL answers is up to the operator.
    isDone: (text, reason) => purgeConfirmation.test(`${reason}\n${text}`) || !markup.test(text)
  }
}
