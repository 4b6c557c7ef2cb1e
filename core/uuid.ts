const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a whole UUID in lower case, as the database writes one. */
export const isUuid = (text: string): boolean => uuid.test(text)
