/** Begins the picture of a post that names one of the export by its number. */
export const pictureNumber = 'picture:'
