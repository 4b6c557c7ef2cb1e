/** Columns anonymous readers may see; with `bearer`, those of clients with a token. */
export const summaryColumns = `post_id, slug, title, excerpt, status, category, tags, seo_title, seo_description, seo_keywords,
  featured_image_url, language, author, published_at, niche_slug, media, word_count, created_at, updated_at, revision`
export const bearerColumns = `${summaryColumns}, awaiting_gate, metadata, media_state, media_error`
export const postColumns = `${summaryColumns}, content, content_html`
export const bearerPostColumns = `${bearerColumns}, content, content_html`
