import { type GatedText, withoutGated } from '../gated-parts.ts'
import { isVisibilityLimited } from './block-visibility.ts'
import { outsideOfCode } from './code-parts.ts'

/** Meta that says who may read a post, and the values with which that is everybody. */
const openValues: ReadonlyMap<string, RegExp> = new Map([
  // Jetpack's newsletter.
  ['_jetpack_newsletter_access', /^everybody$/],
  // Members.
  ['_members_access_role', /^(?:a:0:\{\})$/],
  // WP-Members.
  ['_wpmem_block', /^0$/],
  // Restrict Content, and its Pro.
  ['rcp_subscription_level', /^(?:a:0:\{\})$/],
  ['rcp_user_level', /^(?:all|a:0:\{\}|a:1:\{i:0;s:3:"all";\})$/i],
  ['rcp_access_level', /^(?:none|0)$/i],
  ['rcUserLevel', /^none$/i],
  // Patreon.
  ['patreon-level', /^0$/],
  // Ultimate Member: who is logged in has the number 2, which counts where the settings of the post are switched on.
  [
    'um_content_restriction',
    /^(?:[\s\S]*"_um_custom_access_settings";(?:b:0|i:0|s:1:"0"|s:0:"");|(?![\s\S]*"_um_accessible";(?:s:1:"|i:)2))/
  ],
  // Groups.
  ['groups-read', /^0$/],
  // Paid Member Subscriptions. Its other meta say how, and not from whom.
  ['pms-content-restrict-user-status', /^everyone$/],
  ['pms-content-restrict-subscription-plan', /^0$/],
  ['pms-content-restrict-all-subscription-plans', /^0$/],
  // ARMember: a plan, or 0 for none of them.
  ['arm_access_plan', /^$/]
])

/** A meta of a post says that not everybody could read it. */
export const isRestricting = (key: string, value: string): boolean =>
  value !== '' && openValues.get(key)?.test(value) === false

const memberView = /<!--\s+(\/?)wp:premium-content\/subscriber-view(?=[\s/])[\s\S]*?(?:-->|$)/g

/** A text without what Jetpack's premium content shows to subscribers. Others were shown `logged-out-view`. */
export const withoutMemberViews = (text: string): GatedText =>
  withoutGated(text, memberView, ([mark, slash]) =>
    // One that is empty encloses nothing.
    mark.endsWith('/-->') ? 'none' : slash === '/' ? 'end' : 'gated'
  )

/** Blocks that not everybody is shown, or that hide what stands behind them. */
const gatingBlock =
  /<!--\s+wp:(jetpack\/paywall|pmpro\/(?:require-)?membership|woocommerce-memberships\/member-content)(?=[\s/])/g
const premiumBlock = /<!--\s+wp:(premium-content\/container)(?=[\s/])/g
/** The mark of a block with attributes. */
const blockMark = /<!--\s+wp:[a-z][\w/-]{0,100}\s+(\{[\s\S]*?)(?:\/?-->|$)/gi
/** Attributes of any block, by which plugins, and WordPress itself, hide it. */
const hidingAttribute =
  /"(blockVisibility|contentControls|llms_visibility|otterConditions|UAGDisplayConditions)":(?!"(?:all|none)?"|\{\}|\[\]|true)|"(editorskit)":\{[^{}]{0,2000}"loggedout":false/g

/**
 * Parts of a page builder that are switched off, wait for their day, or depend on who reads: of WPBakery, Divi and Avada. Base64
 * of an empty list is no condition.
 */
const builderPart = /\[((?:vc|et_pb|fusion)_[\w-]{1,60})\s([^[\]]*(?:\[(?!\/?(?:vc|et_pb|fusion)_)[^[\]]*)*)\]/g
const hidingValue =
  /(?<![\w-])(?:(disable_element)=["']yes|(disabled)=["']on|(disabled_on)=["']on\|on\|on|(render_logics|display_conditions)=["'](?!W10=?["']|["']))/
const hiddenContainer = /(?<![\w-])(status)=["'](?!published["']|["'])/

/** Shortcodes around what not everybody is shown, by plugin. Others have some of these names for things that enclose nothing. */
const shortcodes: Readonly<Record<string, readonly string[]>> = {
  MemberPress: ['mepr-show', 'mepr-active', 'mepr-rule', 'mepr-membership'],
  'Restrict Content': ['restrict', 'rcp_restrict', 'is_paid', 'is_free', 'user_name_restrict'],
  'Paid Memberships Pro': ['membership', 'pmpro_membership', 'pmpro_member'],
  Members: ['members_access', 'members_logged_in', 'members_role', 'is_user_logged_in', 'access'],
  'WP-Members': ['wpmem_logged_in', 'wp-members'],
  'Ultimate Member': ['um_loggedin', 'um_show_content', 'ultimatemember'],
  'Ultimate Membership Pro': ['ihc-hide-content'],
  'WooCommerce Memberships': ['wcm_restrict'],
  'Simple Membership': ['swpm_protected'],
  Groups: ['groups_member', 'groups_can'],
  'Paid Member Subscriptions': ['pms-restrict'],
  ARMember: ['arm_restrict_content'],
  Memberful: ['memberful'],
  'Shortcodes Ultimate': ['su_private', 'su_members'],
  'Content Control': ['content_control'],
  LifterLMS: ['lifterlms_hide_content'],
  ProfilePress: ['pp-restrict-content'],
  'WP eMember': ['emember_protected'],
  Passwords: ['passster', 'ppwp', 'content_protector', 'protected', 'protect', 'password'],
  'Several themes': [
    'member',
    'members',
    'members_only',
    'members-only',
    'member_only',
    'private',
    'logged_in',
    'loggedin',
    'is_logged_in',
    'if_logged_in',
    'login_required',
    'user_has_role',
    'restricted',
    'restrict_content',
    'admin_only',
    'adminonly',
    'hide',
    'hidden',
    'secret',
    'draft'
  ],
  'Several others': ['premium', 'paid', 'paywall', 'subscriber', 'subscribers', 'patreon']
}
/** Names that say more, such as a level. */
const families = ['memb_[\\w-]{1,60}', 's2If', '_{1,5}s2If', '_?wlm_(?!nonmember)[\\w-]{1,60}', 'private_[\\w-]{1,60}']
/** A pattern of the names of shortcodes that gate, and of nothing longer. */
export const gatingNames = [...Object.values(shortcodes).flat(), ...families].join('|')
const gatingShortcode = new RegExp(`\\[/(${gatingNames})\\]`, 'gi')

/** Shortcodes that gate, by where they stand. Those in code are what a post tells of them. */
export function gatingShortcodesIn(text: string): { outside: string[]; inCode: string[] } {
  const outside = outsideOfCode(text).toLowerCase()
  // One that begins outside of code and ends in it hides both.
  const isOutside = (name: string) =>
    outside.includes(`[${name.toLowerCase()}`) || outside.includes(`[/${name.toLowerCase()}]`)
  const names = named(text, gatingShortcode)
  return { outside: names.filter(isOutside), inCode: names.filter(name => !isOutside(name)) }
}

/** What in a text says that not everybody could read it, by name. */
export const restrictionsIn = ({ html: text, gated }: GatedText): string[] => [
  // Its early versions have no blocks for each of the two views.
  ...(gated === 'nothing' ? named(text, premiumBlock) : []).map(name => `the block ${name}`),
  ...named(text, gatingBlock).map(name => `the block ${name}`),
  ...hidingAttributesIn(text).map(name => `${name} of a block`),
  ...hiddenPartsIn(text),
  ...gatingShortcodesIn(text).outside.map(name => `the shortcode ${name}`)
]

function hidingAttributesIn(text: string): string[] {
  const names = [...text.matchAll(blockMark)].flatMap(([, attributes = '']) =>
    named(attributes, hidingAttribute).filter(name => name !== 'blockVisibility' || isVisibilityLimited(attributes))
  )
  return [...new Set(names)]
}

function hiddenPartsIn(text: string): string[] {
  const names = [...outsideOfCode(text).matchAll(builderPart)].flatMap(([, name = '', attributes = '']) => {
    const found =
      hidingValue.exec(attributes) ?? (name === 'fusion_builder_container' ? hiddenContainer.exec(attributes) : null)
    const attribute = found?.slice(1).find(each => each !== undefined)
    return attribute === undefined ? [] : [`${attribute} of ${name}`]
  })
  return [...new Set(names)]
}

const named = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, ...names]) => names.find(name => name !== undefined) ?? ''))
]
