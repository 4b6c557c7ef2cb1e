import type { ReaderTexts } from '../texts.ts'

export const frenchReaderTexts: ReaderTexts = {
  heading: 'Lettre d’information',
  about: 'Les nouveaux articles par e-mail. Désinscription en un clic.',
  email: 'Votre adresse e-mail',
  subscribe: 'S’abonner',
  subscribeTitle: 'Lettre d’information de {title}',
  subscribeAbout: 'Les nouveaux articles par e-mail. Désinscription en un clic dans chaque e-mail.',
  checking: 'Nous vérifions que vous n’êtes pas une machine. Cela prend quelques secondes.',
  failed: 'Cela n’a pas fonctionné. Veuillez réessayer, ou essayer avec un autre navigateur.',
  needsScript: 'Ce formulaire a besoin de JavaScript : il empêche des machines d’inscrire d’autres personnes.',
  mailboxTitle: 'Consultez votre messagerie',
  mailboxAbout:
    'Si cette adresse n’est pas encore inscrite, un e-mail lui est envoyé. Ouvrez le lien qu’il contient pour confirmer. Rien reçu ? Une adresse reçoit un seul e-mail de ce type par jour.',
  confirmTitle: 'Confirmez votre abonnement',
  confirmAbout: 'Un clic, et vous recevrez la lettre d’information.',
  confirm: 'Confirmer',
  confirmedTitle: 'Vous êtes abonné',
  confirmedAbout: 'Vous recevrez la prochaine lettre d’information.',
  invalidTitle: 'Ce lien n’est plus valable',
  invalidAbout: 'Il a déjà servi ou date de plus de 48 heures.',
  signUpAgain: 'S’inscrire à nouveau',
  unsubscribe: 'Se désabonner',
  leaveAbout: 'Un clic, et vous ne recevrez plus de lettre d’information.',
  leftTitle: 'Vous êtes désabonné',
  leftAbout: 'Vous ne recevrez plus de lettre d’information.',
  subscribeAgain: 'S’abonner à nouveau',
  mailSubject: 'Confirmez votre abonnement à {title}',
  mailAsked: 'Quelqu’un, sans doute vous, a demandé la lettre d’information de {title} pour cette adresse.',
  mailOpen: 'Pour confirmer, ouvrez cette page et cliquez sur le bouton :',
  mailConfirm: 'Confirmer l’abonnement',
  mailOr: 'Ou ouvrez cette adresse :',
  mailOtherwise:
    'Si ce n’était pas vous, ne faites rien : vous ne recevrez aucune lettre. Le lien est valable 48 heures.',
  mailReason: 'Vous recevez cet e-mail parce que vous êtes abonné à la lettre d’information de {title}.',
  readOnline: 'Lire sur le site',
  andMore: '{first} et {count} autres'
}
