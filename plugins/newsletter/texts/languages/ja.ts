import type { ReaderTexts } from '../texts.ts'

export const japaneseReaderTexts: ReaderTexts = {
  heading: 'ニュースレター',
  about: '新しい記事をメールでお届けします。配信停止はワンクリックです。',
  email: 'メールアドレス',
  subscribe: '登録する',
  subscribeTitle: '{title} のニュースレター',
  subscribeAbout: '新しい記事をメールでお届けします。どのメールからもワンクリックで配信を停止できます。',
  checking: '機械による登録でないことを確認しています。数秒かかります。',
  failed: 'うまくいきませんでした。もう一度、または別のブラウザーでお試しください。',
  needsScript: 'このフォームには JavaScript が必要です。機械が他人を登録することを防ぎます。',
  mailboxTitle: 'メールをご確認ください',
  mailboxAbout:
    'このアドレスがまだ登録されていない場合は、確認メールをお送りしました。メール内のリンクを開いて登録を確定してください。届かない場合：確認メールは一つのアドレスにつき一日一通です。',
  confirmTitle: '登録の確認',
  confirmAbout: 'ワンクリックで、ニュースレターが届くようになります。',
  confirm: '確定する',
  confirmedTitle: '登録が完了しました',
  confirmedAbout: '次のニュースレターからお届けします。',
  invalidTitle: 'このリンクは無効です',
  invalidAbout: 'すでに使われたか、48時間を過ぎています。',
  signUpAgain: 'もう一度登録する',
  unsubscribe: '配信を停止する',
  leaveAbout: 'ワンクリックで、ニュースレターは届かなくなります。',
  leftTitle: '配信を停止しました',
  leftAbout: 'ニュースレターはもう届きません。',
  subscribeAgain: 'もう一度登録する',
  mailSubject: '{title} への登録をご確認ください',
  mailAsked: 'このアドレスで {title} のニュースレターの申し込みがありました。',
  mailOpen: '登録を確定するには、このページを開いてボタンを押してください：',
  mailConfirm: '登録を確定する',
  mailOr: 'または、このアドレスを開いてください：',
  mailOtherwise:
    'お心当たりがない場合は、何もしないでください。ニュースレターは届きません。リンクの有効期間は48時間です。',
  mailReason: 'このメールは {title} のニュースレターに登録された方にお送りしています。',
  readOnline: 'ウェブサイトで読む',
  andMore: '{first} ほか{count}件'
}
