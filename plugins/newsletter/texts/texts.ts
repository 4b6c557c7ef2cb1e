/** What readers see of the newsletter, in one language. `{name}` stands for a value. */
export interface ReaderTexts {
  /** Over the form on pages of the site. */
  heading: string
  about: string
  email: string
  subscribe: string
  subscribeTitle: string
  subscribeAbout: string
  checking: string
  failed: string
  needsScript: string
  mailboxTitle: string
  mailboxAbout: string
  confirmTitle: string
  confirmAbout: string
  confirm: string
  confirmedTitle: string
  confirmedAbout: string
  invalidTitle: string
  invalidAbout: string
  signUpAgain: string
  unsubscribe: string
  leaveAbout: string
  leftTitle: string
  leftAbout: string
  subscribeAgain: string
  mailSubject: string
  mailAsked: string
  mailOpen: string
  mailConfirm: string
  mailOr: string
  mailOtherwise: string
  mailReason: string
  readOnline: string
  andMore: string
}
