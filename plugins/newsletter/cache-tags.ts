/** Touched when somebody begins or ceases to be a subscriber. */
export const subscribersCacheTag = 'newsletter.subscribers'
