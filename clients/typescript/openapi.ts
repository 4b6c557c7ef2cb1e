// Made from docs/openapi.json (sha256 b02f79a140bf2ea91026febeeeab3559731b6841860f95919af6b7fcd022bc79) by npm run client: change that, not this.
export interface paths {
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where tokens come from (RFC 8414) */
        get: operations["oauthMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-router": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An alert, stored and sent to the operator */
        post: operations["routeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Views by crawlers and other machines, by name */
        get: operations["getMachineViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts a view of a post, without a cookie and without an address */
        post: operations["recordView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/view.gif": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts a view of a post as an image does, for pages without a script */
        get: operations["recordViewByImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/view.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The script that counts a view of the page it stands in
         * @description Its element names the post: `<script defer src="…/api/analytics/view.js" data-slug="how-a-lighthouse-works">`.
         */
        get: operations["getViewScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Views by day, by post, and by where readers came from */
        get: operations["getViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit log, newest first */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Categories of public posts, by slug */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/categories/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A category with its public posts, newest first */
        get: operations["getCategory"];
        /** Name and describe a category, for all its posts */
        put: operations["describeCategory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Paid requests, newest first, and what they cost together */
        get: operations["listCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/{call_id}/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets what a request did cost; its budgets follow */
        post: operations["correctCost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What models cost this month, and what is left of its budget */
        get: operations["getCostBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/costs/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a task cost by attempts, stages and rails, and what one more attempt costs */
        get: operations["getTaskCost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a rebuild of the static export is that took long */
        get: operations["getExportJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/export/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes the whole static export again: JSON, feeds and site map of all public posts */
        post: operations["rebuildExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The default publish gate, then the configurable gates by name */
        get: operations["listGates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates/{gate_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switch a gate on or off; what waits at it stays until it is decided */
        put: operations["setGate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates/{gate_name}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let what waits at a gate pass; a post that an edit took the slot from gets it back while it lies ahead */
        post: operations["approveAtGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates/{gate_name}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject what waits at a gate; a draft needs a reason */
        post: operations["rejectAtGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was held and decided, newest first */
        get: operations["listGateHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gates/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits at the gates, the longest waiting first; at most 100 of each gate */
        get: operations["listPending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the service is */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a picture: a JPEG, PNG, WebP, AVIF or GIF of at most 10 MB */
        post: operations["addImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Media jobs, newest first; covers on publishing are among them only when they failed */
        get: operations["listMediaJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a media job is, and what it made */
        get: operations["getMediaJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is stored, newest first, without the texts */
        get: operations["listMemory"];
        put?: never;
        /**
         * Store a text; the same source_table and source_id again replaces it, the same text changes nothing
         * @description 201 when the entry is new or replaces another (stored: true). 200 when the same entry was stored already (stored: false).
         */
        post: operations["storeMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{source_table}/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One entry with its text */
        get: operations["readMemory"];
        put?: never;
        post?: never;
        /** Delete an entry with its passages and embeddings */
        delete: operations["removeMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Passages nearest in meaning, best first */
        get: operations["searchMemory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Embeddings by source table and writer */
        get: operations["readMemoryStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pipeline/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Task transitions, newest first */
        get: operations["listPipelineEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pipeline/events/task/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task's history, oldest first */
        get: operations["listTaskEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Posts, newest first */
        get: operations["listPosts"];
        put?: never;
        /** Make a post by input; the same text by the same client within the window answers 200 with the post there is */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{post_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a post public now; that is its approval, too */
        post: operations["publishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{post_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an archived post a draft again */
        post: operations["restorePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{post_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a hand-made draft for approval */
        post: operations["submitPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{post_id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a published post a draft again */
        post: operations["unpublishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public post by its slug, 301 when that has changed; with a token any post by its post_id, too */
        get: operations["getPost"];
        put?: never;
        post?: never;
        /** Archive a post (soft delete); archiving again changes nothing */
        delete: operations["archivePost"];
        options?: never;
        head?: never;
        /** Edit a post; null clears an optional field */
        patch: operations["editPost"];
        trace?: never;
    };
    "/api/posts/{slug}/related": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public posts like this one, best first */
        get: operations["listRelatedPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/preview/{preview_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A post before it is published */
        get: operations["previewPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public posts by words and by meaning, best first */
        get: operations["searchPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/posts/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Titles and words for what a reader has typed so far */
        get: operations["suggestPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/revalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells the front end that a path reads differently */
        post: operations["revalidatePath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/revenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What payment webhooks reported, by month and currency, newest first */
        get: operations["getRevenue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Publish slots in their order */
        get: operations["listSchedule"];
        put?: never;
        /** Give one post a slot, or a batch of posts a slot each */
        post: operations["schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All settings, by key
         * @description All of them at once, unless `limit`, `offset` or `cursor` asks for a page.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One setting */
        get: operations["getSetting"];
        /**
         * Change a setting; every process follows within a second
         * @description Those with `is_machine` need the scope `api:admin` beside `api:write`.
         */
        put: operations["putSetting"];
        post?: never;
        /**
         * Take a stored value away: the default counts again
         * @description Answers the setting as it is then. Those with `is_machine` need the scope `api:admin` beside `api:write`.
         */
        delete: operations["deleteSetting"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tags of public posts, by slug */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tasks, newest first */
        get: operations["listTasks"];
        put?: never;
        /** Create a task; it enters the pipeline */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task with its text */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a draft: published now, or at publish_at; approved: false rejects it */
        post: operations["approveTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a task that is not published yet, and archive its post; cancelling again changes nothing */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a draft: written again with the feedback, or finally */
        post: operations["rejectTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed or rejected task; an unchecked draft is reused */
        post: operations["retryTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test/notify-operator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test message to the operator's chat, and says whether it was delivered */
        post: operations["testNotifyOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Topics that wait for a decision, oldest first */
        get: operations["listTopics"];
        put?: never;
        /** Propose a topic; it waits for a decision while the gate topic_decision is on */
        post: operations["proposeTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topics/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One topic with what it was proposed with */
        get: operations["getTopic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topics/{task_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a topic: it enters the pipeline */
        post: operations["approveTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topics/{task_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a topic; its task ends dismissed */
        post: operations["rejectTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/alert-router": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An alert, stored */
        post: operations["receiveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/email-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A delivery event of a mail, stored and passed on */
        post: operations["receiveMailEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/payments-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment event, stored and counted */
        post: operations["receivePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/sendgrid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of SendGrid, each stored once and passed on */
        post: operations["receiveSendgridEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An event of Stripe, stored and counted */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/atom.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Atom feed of the newest public posts */
        get: operations["getAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{slug}/atom.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Atom feed of the newest public posts of a category */
        get: operations["getCategoryAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{slug}/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON feed of the newest public posts of a category */
        get: operations["getCategoryJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{slug}/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** RSS 2.0 feed of the newest public posts of a category */
        get: operations["getCategoryFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public posts with audio or video, newest first */
        get: operations["listEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.chapters.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Chapters of the audio, one for each second-level heading */
        get: operations["getEpisodeChapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transcript of the audio as JSON */
        get: operations["getEpisodeTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.mp3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public post's audio */
        get: operations["getEpisodeAudio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public post's video */
        get: operations["getEpisodeVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.short.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A public post's video for phones, of a minute at most */
        get: operations["getEpisodeShortVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.srt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transcript of the audio as SubRip */
        get: operations["getEpisodeSubRip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/episodes/{post_id}.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transcript of the audio as WebVTT */
        get: operations["getEpisodeWebVtt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON feed of the newest public posts */
        get: operations["getJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** RSS 2.0 feed of the newest public posts */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{post_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes audio, films or a cover of a public post, in the background; for the same text the same job */
        post: operations["generateMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A GraphQL query; docs/graphql.md has the schema */
        get: operations["queryGraphqlByUrl"];
        put?: never;
        /** A GraphQL query; docs/graphql.md has the schema */
        post: operations["queryGraphql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the service is */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/generated/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A generated or stock image */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document, OpenAPI 3.1 */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/podcast.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** RSS 2.0 feed of the newest public posts with audio, for podcast apps */
        get: operations["getPodcast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preview/{preview_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a page */
        get: operations["previewPostPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revalidate-cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells the front end, the CDN and the WebSub hub that everything reads differently */
        post: operations["revalidateEverything"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an access token (RFC 7009) */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page with the form to subscribe */
        get: operations["subscribePage"];
        put?: never;
        /**
         * Sign up for the newsletter; a mail asks for the confirmation
         * @description The answer is the same for every address, in the same time. An address gets at most one mail a day that asks for a confirmation. A browser’s form gets a page; one without a solution, or with one that expired or costs too little by now, gets the page that solves a challenge (200).
         */
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A proof of work (ALTCHA) to solve for a sign-up
         * @description It is valid for 20 minutes and for one sign-up. It gets harder while many sign up: a solution that cost less than half of what is asked by then is refused (400 on `captcha`).
         */
        get: operations["getSubscribeChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page behind the link of the mail: it asks for one click */
        get: operations["confirmSubscriptionPage"];
        put?: never;
        /** Confirm a sign-up by the token of the mail */
        post: operations["confirmSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe/script.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script that solves the challenge for a form to sign up */
        get: operations["getSubscribeScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribers/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many get the newsletter */
        get: operations["countSubscribers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{slug}/atom.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Atom feed of the newest public posts with a tag */
        get: operations["getTagAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{slug}/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON feed of the newest public posts with a tag */
        get: operations["getTagJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{slug}/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** RSS 2.0 feed of the newest public posts with a tag */
        get: operations["getTagFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token by the client-credentials grant
         * @description Credentials as form fields or HTTP Basic. Errors have the body of RFC 6749 §5.2.
         */
        post: operations["token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page behind the link to unsubscribe: it asks for one click */
        get: operations["unsubscribePage"];
        put?: never;
        /**
         * Leave the newsletter by the token of a mail (RFC 8058)
         * @description The token stands in the body or in the query. The answer is the same for a token that is unknown. Other fields of a form are left out, those of JSON refused.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApprovalRequest: {
            content_hash?: string | null;
            /**
             * @description Also when the draft nearly repeats another post, or lacks its niche.
             * @example true
             */
            force?: boolean;
            /**
             * @description Of the held task or post, or 8 or more of its first characters.
             * @example 3f2a9c1b
             */
            id: string;
            reason?: string | null;
        };
        AuditEntry: {
            /**
             * @description operator for a local command, else the client_id.
             * @example operator
             */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @description What the event type has to tell. */
            details: {
                [key: string]: unknown;
            };
            /** @example settings.changed */
            event_type: string;
            /** @example 12 */
            id: number;
        };
        CaptchaChallenge: {
            parameters: {
                /** @example PBKDF2/SHA-256 */
                algorithm: string;
                /** @example 1000 */
                cost: number;
                data?: {
                    /**
                     * @description What it costs, on average.
                     * @example 1000
                     */
                    tries: number;
                };
                /**
                 * @description Seconds since 1970.
                 * @example 1795430400
                 */
                expiresAt?: number;
                /** @example 32 */
                keyLength: number;
                /** @example 0b7c */
                keyPrefix: string;
                /** @example a3f0 */
                keySignature?: string;
                /** @example 5f2b6a0c */
                nonce: string;
                /** @example 9d41c7e2 */
                salt: string;
            } & {
                [key: string]: unknown;
            };
            /** @example c1d9 */
            signature?: string;
        };
        Category: {
            /** @example How the world works. */
            description: string;
            /** @example Science */
            name: string;
            /** @example 12 */
            post_count: number;
            /** @example science */
            slug: string;
        };
        CategoryPut: {
            /** @example How the world works. */
            description?: string;
            /** @example Science */
            name: string;
        };
        ConfirmReply: {
            /**
             * @example true
             * @enum {boolean}
             */
            confirmed: true;
        };
        Correction: {
            /** @example lihgthouse */
            from: string;
            /** @example lighthouse */
            to: string;
        };
        CostBudget: {
            /** @example 19.98 */
            amount_remaining: number | null;
            /**
             * @description In the currency, to six decimals.
             * @example 0.0125
             */
            amount_spent: number;
            /**
             * @description Of the month, after today.
             * @example 7
             */
            days_remaining: number;
            /** @example 20 */
            monthly_budget: number | null;
            percent_used: number | null;
            /**
             * @description In the currency, to six decimals.
             * @example 0.0125
             */
            projected_final_cost: number;
            /**
             * @example on_track
             * @enum {unknown}
             */
            status: "no_budget" | "on_track" | "waiting" | "warning" | "used_up";
        };
        CostCall: {
            /**
             * @description What counts: while it is reserved, the worst case.
             * @example 0.0125
             */
            amount: number;
            /** Format: date-time */
            at: string;
            attempt: number | null;
            /**
             * @description Where the amount is from.
             * @example usage
             * @enum {unknown}
             */
            basis: "usage" | "worst_case" | "nothing" | "correction";
            /** Format: uuid */
            call_id: string;
            /** @example true */
            is_priced: boolean;
            /**
             * @example chat
             * @enum {unknown}
             */
            kind: "chat" | "embedding" | "speech" | "image";
            /** @example gpt-5-mini */
            model: string;
            niche_slug: string | null;
            part: string | null;
            post_id: string | null;
            /**
             * @description In the currency, to six decimals.
             * @example 0.0125
             */
            reserved: number;
            settled_at: string | null;
            /**
             * @example settled
             * @enum {unknown}
             */
            status: "reserved" | "settled" | "expired";
            task_id: string | null;
            /**
             * @example {
             *       "input_tokens": 1200,
             *       "output_tokens": 900
             *     }
             */
            usage: {
                [key: string]: unknown;
            } | null;
        };
        CostCorrection: {
            /**
             * @description What it did cost, as a decimal such as 0.0125.
             * @example 0.25
             */
            amount: string;
            /** @example as billed */
            reason: string;
        };
        CreatedPost: {
            /** @example Ada Lovelace */
            author: string | null;
            /**
             * @description Gate that holds the post; shown to clients with a token.
             * @example null
             */
            awaiting_gate?: string | null;
            /**
             * @description Slug of the category.
             * @example science
             */
            category: string | null;
            /**
             * @description Markdown.
             * @example Twice a day the sea rises.
             */
            content: string;
            /**
             * @description Sanitised HTML; a leading H1 is left out, because readers get the title instead.
             * @example <p>Twice a day the sea rises.</p>
             */
            content_html: string;
            /** @example 2026-11-21T09:30:00.000Z */
            created_at: string;
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/images/generated/cover-3f2a9c1b.png */
            featured_image_url: string | null;
            /**
             * @description BCP 47; the site_language where the post has none.
             * @example en
             */
            language: string;
            media: {
                /**
                 * @description Why they could not be made, or the last try failed; shown to clients with a token.
                 * @example null
                 */
                error?: string | null;
                /** @example null */
                podcast_url: string | null;
                /**
                 * @description Of the media asked for: pending, done or failed; shown to clients with a token.
                 * @example done
                 */
                state?: string | null;
                /** @example null */
                video_url: string | null;
            };
            /** @description Shown to clients with a token. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example nature */
            niche_slug: string | null;
            /** Format: uuid */
            post_id: string;
            /**
             * Format: uri
             * @description Shows the post to whoever has it, for 24 hours.
             * @example https://example.org/preview/eyJhbGciOi
             */
            preview_url: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example 7 */
            reading_minutes: number;
            /** @example Why the sea rises twice a day. */
            seo_description: string | null;
            seo_keywords: string[];
            /** @example How tides follow the moon */
            seo_title: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @example published
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            tags: string[];
            /** @example How tides follow the moon */
            title: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
            /** @example 1480 */
            word_count: number;
        };
        DecisionRequest: {
            content_hash?: string | null;
            /**
             * @description Of the held task or post, or 8 or more of its first characters.
             * @example 3f2a9c1b
             */
            id: string;
            reason?: string | null;
        };
        Episode: {
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp3 */
            podcast_url: string | null;
            /** Format: uuid */
            post_id: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /** @example How tides follow the moon */
            title: string;
            /** @example https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp4 */
            video_url: string | null;
        };
        ErrorBody: {
            /** @enum {string} */
            error_code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "CONTENT_CHANGED" | "DUPLICATE_TITLE" | "DUPLICATE_CONTENT" | "NICHE_REQUIRED" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS" | "TOPIC_QUEUE_FULL" | "DUPLICATE_TOPIC" | "CONFIRMATION_EXPIRED";
            /** @description Faulty fields by dotted path; `body` for the whole body. */
            errors: {
                [key: string]: string;
            };
            /** @description What happened and what to do. */
            message: string;
            /** Format: uuid */
            request_id: string;
        };
        FoundPost: {
            /** @example Ada Lovelace */
            author: string | null;
            /**
             * @description Gate that holds the post; shown to clients with a token.
             * @example null
             */
            awaiting_gate?: string | null;
            /**
             * @description Slug of the category.
             * @example science
             */
            category: string | null;
            /** @example 2026-11-21T09:30:00.000Z */
            created_at: string;
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/images/generated/cover-3f2a9c1b.png */
            featured_image_url: string | null;
            /**
             * @description BCP 47; the site_language where the post has none.
             * @example en
             */
            language: string;
            media: {
                /**
                 * @description Why they could not be made, or the last try failed; shown to clients with a token.
                 * @example null
                 */
                error?: string | null;
                /** @example null */
                podcast_url: string | null;
                /**
                 * @description Of the media asked for: pending, done or failed; shown to clients with a token.
                 * @example done
                 */
                state?: string | null;
                /** @example null */
                video_url: string | null;
            };
            /** @description Shown to clients with a token. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example nature */
            niche_slug: string | null;
            /** Format: uuid */
            post_id: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example 7 */
            reading_minutes: number;
            /**
             * @description Orders the matches; not a probability.
             * @example 0.031
             */
            score: number;
            /** @example Why the sea rises twice a day. */
            seo_description: string | null;
            seo_keywords: string[];
            /** @example How tides follow the moon */
            seo_title: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @description HTML: escaped text with the words found in <mark>; the beginning of the text where it has none of them.
             * @example The <mark>tides</mark> follow
             */
            snippet: string;
            /**
             * @example published
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            tags: string[];
            /** @example How tides follow the moon */
            title: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
            /** @example 1480 */
            word_count: number;
        };
        Gate: {
            /**
             * @description Of the default gate.
             * @example 0
             */
            auto_publish_threshold?: number;
            enabled: boolean;
            /** @example topic_decision */
            gate_name: string;
            /**
             * @description default or configurable.
             * @example configurable
             */
            mechanism: string;
            /** @example 3 */
            pending_count: number;
            /** @description Of the default gate. */
            require_human_approval?: boolean;
            /** @example pipeline_gate_topic_decision */
            setting_key?: string;
            /** @example the topic queue */
            wired_into?: string;
        };
        GateDecision: {
            /** @example operator */
            actor: string;
            /** Format: date-time */
            at: string;
            content_hash: string | null;
            /**
             * @description held, approved, rejected, auto_approved or cleared.
             * @example approved
             */
            decision: string;
            /** @example topic_decision */
            gate_name: string;
            reason: string | null;
            /** Format: uuid */
            subject_id: string;
            /** @example task */
            subject_type: string;
        };
        GraphqlError: {
            extensions: {
                /** @enum {unknown} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "EXPECTATION_FAILED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "CONTENT_CHANGED" | "DUPLICATE_TITLE" | "DUPLICATE_CONTENT" | "NICHE_REQUIRED" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS" | "TOPIC_QUEUE_FULL" | "DUPLICATE_TOPIC" | "CONFIRMATION_EXPIRED";
                /** @description Faulty arguments. */
                errors: {
                    [key: string]: string;
                };
                /** Format: uuid */
                request_id: string;
            };
            locations?: {
                column: number;
                line: number;
            }[];
            /** @example Cannot query field "titel" on type "Post". */
            message: string;
            /** @description The failed field. */
            path?: (string | number)[];
        };
        GraphqlRefusal: {
            errors: components["schemas"]["GraphqlError"][];
        };
        Health: {
            components: {
                connection_pool: {
                    /** @example 9 */
                    idle: number;
                    /** @example 10 */
                    size: number;
                };
                /**
                 * @description healthy or unhealthy.
                 * @example healthy
                 */
                database: string;
            };
            /** @example galley */
            service: string;
            /**
             * @description healthy or unhealthy; at /health also draining while the process shuts down, and unready.
             * @example healthy
             */
            status: string;
            /** Format: date-time */
            timestamp: string;
            /** @example 0.1.0 */
            version: string;
        };
        HeldItem: {
            /** @example pipeline */
            actor: string;
            content_hash: string | null;
            /** @example topic_decision */
            gate_name: string;
            held_at: string | null;
            post_id: string | null;
            reason: string | null;
            slot: string | null;
            /** Format: uuid */
            subject_id: string;
            /** @example task */
            subject_type: string;
            task_id: string | null;
            /** @example How tides follow the moon */
            title: string;
        };
        Image: {
            /** @example 48213 */
            bytes: number;
            /** @example image/jpeg */
            content_type: string;
            /** @example 0f3a5c.jpg */
            filename: string;
            /** @example 630 */
            height: number;
            /** @example https://example.org/images/generated/0f3a5c.jpg */
            url: string;
            /** @example 1200 */
            width: number;
        };
        MachineReport: {
            /** @example 30 */
            days: number;
            machines: {
                /** @example GPTBot */
                name: string;
                /**
                 * @description Views.
                 * @example 12
                 */
                views: number;
            }[];
        };
        MediaJob: {
            /** @example 2026-11-21T10:00:00.000Z */
            created_at: string;
            /**
             * @description Why it failed; while it is tried again, why the last try did.
             * @example null
             */
            error: string | null;
            /**
             * Format: uuid
             * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
             */
            job_id: string;
            media: string[];
            /**
             * Format: uuid
             * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
             */
            post_id: string;
            /**
             * @description Percent.
             * @example 42
             */
            progress: number;
            /**
             * @description pending, running, done, failed, replaced (the text changed), withdrawn (with its post) or removed.
             * @example running
             */
            state: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
        };
        MediaJobDetails: {
            /** @example 2026-11-21T10:00:00.000Z */
            created_at: string;
            /**
             * @description Why it failed; while it is tried again, why the last try did.
             * @example null
             */
            error: string | null;
            /** @description What it made, while that is what readers get. */
            files: {
                /** @example 893211 */
                bytes: number;
                /** @example 111400 */
                duration_ms: number | null;
                /** @example 2026-11-21T10:00:00.000Z */
                made_at: string;
                /** @example https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp3 */
                url: string;
            }[];
            /**
             * Format: uuid
             * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
             */
            job_id: string;
            media: string[];
            /**
             * Format: uuid
             * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
             */
            post_id: string;
            /**
             * @description Percent.
             * @example 42
             */
            progress: number;
            /**
             * @description pending, running, done, failed, replaced (the text changed), withdrawn (with its post) or removed.
             * @example running
             */
            state: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
        };
        MemoryCount: {
            /** @example 120 */
            count: number;
            /** @example posts */
            key: string;
            /** Format: date-time */
            newest: string;
            /** Format: date-time */
            oldest: string;
        };
        MemoryEntry: {
            /**
             * @description Of the text, in UTF-8
             * @example 26
             */
            bytes: number;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Where the text begins
             * @example Twice a day the sea rises.
             */
            excerpt: string;
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description Passages it was cut into; 0 while a job has that to do
             * @example 1
             */
            passages: number;
            /** @example notes/tides.md */
            source_id: string;
            /** @enum {unknown} */
            source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            tags: string[];
            /** @example Twice a day the sea rises. */
            text: string;
            /** @example Tides */
            title: string | null;
            /** Format: date-time */
            updated_at: string;
            /** @example https://example.org/tides */
            url: string | null;
            /** @example operator */
            writer: string;
        };
        MemoryEntrySummary: {
            /**
             * @description Of the text, in UTF-8
             * @example 26
             */
            bytes: number;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Where the text begins
             * @example Twice a day the sea rises.
             */
            excerpt: string;
            /**
             * @description Passages it was cut into; 0 while a job has that to do
             * @example 1
             */
            passages: number;
            /** @example notes/tides.md */
            source_id: string;
            /** @enum {unknown} */
            source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            tags: string[];
            /** @example Tides */
            title: string | null;
            /** Format: date-time */
            updated_at: string;
            /** @example https://example.org/tides */
            url: string | null;
            /** @example operator */
            writer: string;
        };
        MemoryMatch: {
            chunk: number;
            /** Format: date-time */
            created_at: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @example 0.82 */
            similarity: number;
            /** @example notes/tides.md */
            source_id: string;
            /** @enum {unknown} */
            source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            tags: string[];
            /** @example Twice a day the sea rises. */
            text: string;
            /** @example operator */
            writer: string;
        };
        MemoryRefusal: {
            chunk: number;
            reason: string;
            source_id: string;
            /** @enum {unknown} */
            source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
        };
        MemoryStats: {
            by_source_table: components["schemas"]["MemoryCount"][];
            by_writer: components["schemas"]["MemoryCount"][];
            /** @example 768 */
            dimensions: number;
            /** @description Why nothing is embedded, when the setting embedder names no embedder */
            fault: string | null;
            /** @example embedded */
            model: string;
            /** @description Passages that still wait for an embedding by the chosen model */
            pending: number;
            /** @description The latest ten of them */
            refusals: components["schemas"]["MemoryRefusal"][];
            /** @description Passages the embedder will not take: found by their words only */
            refused: number;
            /**
             * @description What searches use until none is pending
             * @example embedded
             */
            serving_model: string;
            /**
             * @description Embeddings that searches use: those by serving_model
             * @example 120
             */
            total: number;
        };
        MonthOfRevenue: {
            /** @example EUR */
            currency: string;
            /**
             * @description Paid, as an exact decimal in units of the currency.
             * @example 228.00
             */
            gross: string;
            /**
             * @description By UTC.
             * @example 2026-11
             */
            month: string;
            /**
             * @description `gross` less `refunded`.
             * @example 209.00
             */
            net: string;
            /** @example 12 */
            payments: number;
            /** @description What earned most first. */
            plans: {
                /**
                 * @description Paid for it.
                 * @example 228.00
                 */
                gross: string;
                /** @example 12 */
                payments: number;
                /**
                 * @description Null for payments without a plan, and for all plans beyond twenty.
                 * @example Pro
                 */
                plan: string | null;
            }[];
            /**
             * @description Paid back.
             * @example 19.00
             */
            refunded: string;
            /** @example 1 */
            refunds: number;
        };
        NewMemory: {
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description Storing the same id again replaces the entry; default: made from text and writer
             * @example notes/tides.md
             */
            source_id?: string;
            /**
             * @description Where it comes from; default memory. What is stored as posts is kept by the posts themselves
             * @example memory
             * @enum {unknown}
             */
            source_table?: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            tags?: string[];
            /**
             * @description The text, markdown or plain; at most memory_max_bytes (2 MiB) of UTF-8
             * @example Twice a day the sea rises.
             */
            text: string;
            title?: string | null;
            url?: string | null;
            /**
             * @description Who stores it
             * @example operator
             */
            writer: string;
        };
        NewPost: {
            category?: string | null;
            /**
             * @description Markdown.
             * @example # How tides follow the moon
             *
             *     Twice a day …
             */
            content: string;
            excerpt?: string | null;
            /**
             * @description Also when a published title is near, or the same body was just sent.
             * @default false
             */
            force?: boolean;
            /** @description Media to make for it. */
            media?: ("podcast" | "video" | "video_short")[];
            niche_slug?: string;
            /** @example why-tides-come-twice-a-day */
            slug?: string;
            /**
             * @default draft
             * @enum {unknown}
             */
            status?: "draft" | "awaiting_approval";
            tags?: string[] | null;
            /** @example Why tides come twice a day */
            title?: string;
        };
        NewTask: {
            category?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
            niche_slug?: string | null;
            primary_keyword?: string | null;
            style?: string;
            tags?: string[];
            target_audience?: string | null;
            /**
             * @description Words.
             * @example 1500
             */
            target_length?: number;
            tone?: string;
            /**
             * @description 3–200 characters after trimming.
             * @example How tides follow the moon
             */
            topic: string;
        };
        NewTopic: {
            category?: string | null;
            primary_keyword?: string | null;
            /**
             * @description Where it comes from.
             * @default api
             */
            source?: string;
            /**
             * @description true refuses what nearly repeats an open topic or a published post.
             * @default false
             */
            strict?: boolean;
            style?: string;
            tags?: string[];
            /**
             * @description Words.
             * @example 1500
             */
            target_length?: number;
            tone?: string;
            /**
             * @description 3–200 characters after trimming.
             * @example How tides follow the moon
             */
            topic: string;
        };
        OAuthError: {
            /** @enum {unknown} */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
            /** @example grant_type is required: send client_credentials. */
            error_description: string;
        };
        PipelineEvent: {
            /** @example pipeline */
            actor: string;
            /** Format: date-time */
            at: string;
            detail: {
                [key: string]: unknown;
            };
            from: string | null;
            /** @example 42 */
            id: number;
            /** Format: uuid */
            task_id: string;
            to: string | null;
            /** @example draft_done */
            type: string;
        };
        Post: {
            /** @example Ada Lovelace */
            author: string | null;
            /**
             * @description Gate that holds the post; shown to clients with a token.
             * @example null
             */
            awaiting_gate?: string | null;
            /**
             * @description Slug of the category.
             * @example science
             */
            category: string | null;
            /**
             * @description Markdown.
             * @example Twice a day the sea rises.
             */
            content: string;
            /**
             * @description Sanitised HTML; a leading H1 is left out, because readers get the title instead.
             * @example <p>Twice a day the sea rises.</p>
             */
            content_html: string;
            /** @example 2026-11-21T09:30:00.000Z */
            created_at: string;
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/images/generated/cover-3f2a9c1b.png */
            featured_image_url: string | null;
            /**
             * @description BCP 47; the site_language where the post has none.
             * @example en
             */
            language: string;
            media: {
                /**
                 * @description Why they could not be made, or the last try failed; shown to clients with a token.
                 * @example null
                 */
                error?: string | null;
                /** @example null */
                podcast_url: string | null;
                /**
                 * @description Of the media asked for: pending, done or failed; shown to clients with a token.
                 * @example done
                 */
                state?: string | null;
                /** @example null */
                video_url: string | null;
            };
            /** @description Shown to clients with a token. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example nature */
            niche_slug: string | null;
            /** Format: uuid */
            post_id: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example 7 */
            reading_minutes: number;
            /** @example Why the sea rises twice a day. */
            seo_description: string | null;
            seo_keywords: string[];
            /** @example How tides follow the moon */
            seo_title: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @example published
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            tags: string[];
            /** @example How tides follow the moon */
            title: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
            /** @example 1480 */
            word_count: number;
        };
        PostPatch: {
            author?: string | null;
            category?: string | null;
            /** @description Markdown. A leading H1 is not shown, and does not change the title: send title with it. */
            content?: string;
            excerpt?: string | null;
            /**
             * @description An address such as https://…, or a path that begins with one /; without blanks.
             * @example https://example.org/tides.png
             */
            featured_image_url?: string | null;
            /**
             * @description A language as BCP 47 has it, such as en or pt-BR; null for the site_language.
             * @example pt-BR
             */
            language?: string | null;
            niche_slug?: string | null;
            seo_description?: string | null;
            seo_keywords?: string[] | null;
            seo_title?: string | null;
            /** @example why-tides-come-twice-a-day */
            slug?: string;
            tags?: string[] | null;
            /** @example Why tides come twice a day */
            title?: string;
        };
        PostPublication: {
            /**
             * @description Also a draft that nearly repeats another post, that lacks a niche, or whose task was rejected or writes it again.
             * @default false
             */
            force?: boolean;
        };
        PostSummary: {
            /** @example Ada Lovelace */
            author: string | null;
            /**
             * @description Gate that holds the post; shown to clients with a token.
             * @example null
             */
            awaiting_gate?: string | null;
            /**
             * @description Slug of the category.
             * @example science
             */
            category: string | null;
            /** @example 2026-11-21T09:30:00.000Z */
            created_at: string;
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/images/generated/cover-3f2a9c1b.png */
            featured_image_url: string | null;
            /**
             * @description BCP 47; the site_language where the post has none.
             * @example en
             */
            language: string;
            media: {
                /**
                 * @description Why they could not be made, or the last try failed; shown to clients with a token.
                 * @example null
                 */
                error?: string | null;
                /** @example null */
                podcast_url: string | null;
                /**
                 * @description Of the media asked for: pending, done or failed; shown to clients with a token.
                 * @example done
                 */
                state?: string | null;
                /** @example null */
                video_url: string | null;
            };
            /** @description Shown to clients with a token. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example nature */
            niche_slug: string | null;
            /** Format: uuid */
            post_id: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example 7 */
            reading_minutes: number;
            /** @example Why the sea rises twice a day. */
            seo_description: string | null;
            seo_keywords: string[];
            /** @example How tides follow the moon */
            seo_title: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @example published
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            tags: string[];
            /** @example How tides follow the moon */
            title: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
            /** @example 1480 */
            word_count: number;
        };
        Qa: {
            passed: boolean;
            rails: {
                /** @example readability */
                name: string;
                /** @example grade 9 */
                note: string;
                passed: boolean;
                required: boolean;
                /** @example 92 */
                score: number;
            }[];
            score: number | null;
        };
        RebuildJob: {
            /**
             * @description Why it failed.
             * @example null
             */
            error: string | null;
            /**
             * Format: uuid
             * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
             */
            job_id: string;
            /**
             * @description Posts written so far.
             * @example 12000
             */
            posts: number;
            /**
             * @description Posts to be written.
             * @example 42000
             */
            public_posts: number;
            /**
             * @description Once it is done.
             * @example null
             */
            report: {
                /**
                 * @description Size of all files.
                 * @example 812345
                 */
                bytes: number;
                /** @example 130 */
                duration_ms: number;
                /**
                 * @description Files the export consists of.
                 * @example 48
                 */
                files: number;
                /**
                 * @description Public posts, each with a file.
                 * @example 42
                 */
                posts: number;
                /**
                 * @description Files of posts that are no longer public.
                 * @example 1
                 */
                removed: number;
                /**
                 * @description Pages that lack a part, as the theme or the sizes of pictures. The next runs make them again.
                 * @example 0
                 */
                unfinished: number;
            } | null;
            /** @example 2026-11-21T10:00:00.000Z */
            started_at: string;
            /**
             * @description running, done or failed.
             * @example running
             */
            state: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
        };
        RelatedPost: {
            /** @example Ada Lovelace */
            author: string | null;
            /**
             * @description Gate that holds the post; shown to clients with a token.
             * @example null
             */
            awaiting_gate?: string | null;
            /**
             * @description Slug of the category.
             * @example science
             */
            category: string | null;
            /** @example 2026-11-21T09:30:00.000Z */
            created_at: string;
            /** @example Twice a day the sea rises. */
            excerpt: string | null;
            /** @example https://example.org/images/generated/cover-3f2a9c1b.png */
            featured_image_url: string | null;
            /**
             * @description BCP 47; the site_language where the post has none.
             * @example en
             */
            language: string;
            media: {
                /**
                 * @description Why they could not be made, or the last try failed; shown to clients with a token.
                 * @example null
                 */
                error?: string | null;
                /** @example null */
                podcast_url: string | null;
                /**
                 * @description Of the media asked for: pending, done or failed; shown to clients with a token.
                 * @example done
                 */
                state?: string | null;
                /** @example null */
                video_url: string | null;
            };
            /** @description Shown to clients with a token. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example nature */
            niche_slug: string | null;
            /** Format: uuid */
            post_id: string;
            /** @example 2026-11-21T10:00:00.000Z */
            published_at: string | null;
            /** @example 7 */
            reading_minutes: number;
            /**
             * @description Orders the matches; not a probability.
             * @example 0.031
             */
            score: number;
            /** @example Why the sea rises twice a day. */
            seo_description: string | null;
            seo_keywords: string[];
            /** @example How tides follow the moon */
            seo_title: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @example published
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            tags: string[];
            /** @example How tides follow the moon */
            title: string;
            /** @example 2026-11-21T10:00:00.000Z */
            updated_at: string;
            /** @example 1480 */
            word_count: number;
        };
        Revenue: {
            items: components["schemas"]["MonthOfRevenue"][];
            /** @example 12 */
            months: number;
        };
        ScheduledPost: {
            /** Format: uuid */
            post_id: string;
            /**
             * @description The slot.
             * @example 2027-01-31T09:00:00.000Z
             */
            published_at: string | null;
            /** @example how-tides-follow-the-moon */
            slug: string;
            /**
             * @example scheduled
             * @enum {unknown}
             */
            status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
            /** @example How tides follow the moon */
            title: string;
        };
        ScheduleRequest: {
            /** @description Posts in the batch. */
            count?: number;
            /** @description Answers the slots of the batch without giving them. */
            dry_run?: boolean;
            /** @description Replaces a slot the post has; gives one also to a near-duplicate, and to a post without a niche. */
            force?: boolean;
            /** @description A duration from now: 30m, 2h, 1d, 1w, 1h30m. */
            in?: string;
            /** @description Duration between two slots of the batch; days keep the time of day when the clocks change. */
            interval?: string;
            /**
             * @description Order of the batch; default approved_at.
             * @enum {unknown}
             */
            ordered_by?: "approved_at" | "created_at" | "id" | "title";
            /** @description A UUID, or 8 or more of its first characters. */
            post_id?: string;
            /** @description The same as when. */
            publish_at?: string;
            /** @description HH:MM-HH:MM, or none; default: the setting publish_quiet_hours. */
            quiet_hours?: string;
            /** @description First slot of the batch, in the form of when. */
            start?: string;
            /** @description ISO 8601, now, today <clock>, a clock such as 9pm, tomorrow [clock], <weekday> [clock], next <weekday> [clock] or in <duration>, read in operator_timezone. */
            when?: string;
        };
        Setting: {
            /**
             * @description What the value may be, in a few words; null for any text.
             * @example at most 11 characters
             */
            bounds: string | null;
            /** @example machine */
            category: string;
            /**
             * @description Null for a setting that no plugin declares.
             * @example
             */
            default: string | null;
            /** @example Quiet window HH:MM-HH:MM for batches. */
            description: string;
            /**
             * @description Why the stored value is not in use; null when it is, or when there is none.
             * @example llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.
             */
            fault: string | null;
            is_active: boolean;
            /**
             * @description One of the operator's machine: over HTTP a change needs the scope api:admin.
             * @example false
             */
            is_machine: boolean;
            /** @example false */
            is_secret: boolean;
            /** @example publish_quiet_hours */
            key: string;
            /**
             * @description Of a secret that is sent to an address: the host it was set for.
             * @example https://api.openai.com
             */
            sent_to: string | null;
            /**
             * @description Null while the default is in use.
             * @example 2026-11-21T10:00:00.000Z
             */
            updated_at: string | null;
            /**
             * @description Text; ******** for a secret.
             * @example 22:00-07:00
             */
            value: string;
        };
        StoredMemory: {
            /**
             * @description Passages the text was cut into
             * @example 3
             */
            chunks: number;
            /** @example notes/tides.md */
            source_id: string;
            /** @enum {unknown} */
            source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            /** @description False when the same entry was stored already */
            stored: boolean;
        };
        SubscriberCount: {
            /** @example 42 */
            count: number;
        };
        SubscribeReply: {
            /** @example If this address is not subscribed yet, a mail is on its way to it. */
            message: string;
        };
        SubscribeRequest: {
            /** @description The solution of a challenge of `GET /subscribe/challenge` as ALTCHA gives it: JSON in base64. Required while `subscribe_captcha` is on. */
            captcha?: string;
            /**
             * @description The address that wants the newsletter.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
             * @example de
             */
            language?: string;
            /**
             * @description For the operator. No mail contains it.
             * @example Ada
             */
            name?: string;
        };
        Suggestion: {
            /** @example how-tides-follow-the-moon */
            slug: string;
            /** @example How tides follow the moon */
            title: string;
        };
        Tag: {
            /** @example tides */
            name: string;
            /** @example 3 */
            post_count: number;
            /** @example tides */
            slug: string;
        };
        Task: {
            /**
             * @description 1 at first, one more for each re-run and retry.
             * @example 1
             */
            attempt: number;
            /** @example null */
            awaiting_gate: string | null;
            category: string | null;
            completed_at: string | null;
            content: string | null;
            /** @description What models were paid for it, only where the task is read by itself; null while nothing is counted. */
            cost?: components["schemas"]["TaskCost"] | null;
            /** Format: date-time */
            created_at: string;
            /** @example null */
            error: string | null;
            excerpt: string | null;
            feedback: string | null;
            metadata: {
                [key: string]: unknown;
            };
            niche_slug: string | null;
            post_id: string | null;
            post_slug: string | null;
            preview_url: string | null;
            primary_keyword: string | null;
            /** @example 100 */
            progress: number;
            publish_at: string | null;
            published_url: string | null;
            qa: components["schemas"]["Qa"] | null;
            reason: string | null;
            stage: string | null;
            started_at: string | null;
            /**
             * @example awaiting_approval
             * @enum {unknown}
             */
            status: "pending" | "in_progress" | "awaiting_gate" | "awaiting_approval" | "approved" | "published" | "rejected" | "rejected_retry" | "rejected_final" | "dismissed" | "failed";
            /** @example explanatory */
            style: string;
            tags: string[];
            target_audience: string | null;
            /**
             * @description Words.
             * @example 1500
             */
            target_length: number;
            /** Format: uuid */
            task_id: string;
            title: string | null;
            /** @example plain */
            tone: string;
            /** @example How tides follow the moon */
            topic: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Of an approval: that its publish_at lies in the quiet hours. */
            warnings?: string[];
        };
        TaskApproval: {
            /** @description false rejects the draft. */
            approved: boolean;
            feedback?: string | null;
            /**
             * @description Also when the draft nearly repeats another post, or lacks a niche that niche_gated_publishing asks for.
             * @default false
             */
            force?: boolean;
            /**
             * @description ISO 8601, in the future and before the year 9999; only without it the post is published now.
             * @example 2027-01-31T09:00:00Z
             */
            publish_at?: string;
            reason?: string | null;
        };
        TaskCost: {
            /**
             * @description In the currency, to six decimals.
             * @example 0.0125
             */
            amount: number;
            attempts: {
                /**
                 * @description In the currency, to six decimals.
                 * @example 0.0125
                 */
                amount: number;
                /** @example 1 */
                attempt: number;
                parts: {
                    /**
                     * @description In the currency, to six decimals.
                     * @example 0.0125
                     */
                    amount: number;
                    /**
                     * @description Requests.
                     * @example 2
                     */
                    calls: number;
                    /** @example critic */
                    part: string;
                }[];
            }[];
            /**
             * @description Requests.
             * @example 2
             */
            calls: number;
            /** @example USD */
            currency: string;
            next_run: {
                /** @description What one more attempt costs, about; null while nothing is known. */
                amount: number | null;
                /**
                 * @description Earlier attempts it is the mean of.
                 * @example 3
                 */
                based_on: number;
                /** @example USD */
                currency: string;
            };
        };
        TaskDecision: {
            reason?: string | null;
        };
        TaskRejection: {
            /**
             * @description true: written again; false: final.
             * @default true
             */
            allow_revisions?: boolean;
            /**
             * @description What should change; the writer is given it.
             * @example Say more about spring tides.
             */
            feedback: string;
            reason?: string | null;
        };
        TaskSummary: {
            /**
             * @description 1 at first, one more for each re-run and retry.
             * @example 1
             */
            attempt: number;
            /** @example null */
            awaiting_gate: string | null;
            category: string | null;
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @example null */
            error: string | null;
            excerpt: string | null;
            feedback: string | null;
            metadata: {
                [key: string]: unknown;
            };
            niche_slug: string | null;
            post_id: string | null;
            post_slug: string | null;
            preview_url: string | null;
            primary_keyword: string | null;
            /** @example 100 */
            progress: number;
            publish_at: string | null;
            published_url: string | null;
            qa: components["schemas"]["Qa"] | null;
            reason: string | null;
            stage: string | null;
            started_at: string | null;
            /**
             * @example awaiting_approval
             * @enum {unknown}
             */
            status: "pending" | "in_progress" | "awaiting_gate" | "awaiting_approval" | "approved" | "published" | "rejected" | "rejected_retry" | "rejected_final" | "dismissed" | "failed";
            /** @example explanatory */
            style: string;
            tags: string[];
            target_audience: string | null;
            /**
             * @description Words.
             * @example 1500
             */
            target_length: number;
            /** Format: uuid */
            task_id: string;
            title: string | null;
            /** @example plain */
            tone: string;
            /** @example How tides follow the moon */
            topic: string;
            /** Format: date-time */
            updated_at: string;
        };
        Topic: {
            artifact: {
                category: string | null;
                keyword: string | null;
                /** @example manual */
                source: string;
                /** @example technical */
                style: string;
                tags: string[];
                /** @example 1500 */
                target_length: number;
                /** @example professional */
                tone: string;
                /** @example How tides follow the moon */
                topic: string;
            };
            awaiting_gate: string | null;
            category: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description What it nearly repeats.
             * @example null
             */
            near_duplicate: {
                /** Format: uuid */
                id: string;
                /**
                 * @description 0–1.
                 * @example 0.81
                 */
                similarity: number;
                /** @example Why tides come twice a day */
                title: string;
                /**
                 * @description topic or post.
                 * @example post
                 */
                type: string;
            } | null;
            primary_keyword: string | null;
            /** @example manual */
            source: string;
            /** @example awaiting_gate */
            status: string;
            /** @example technical */
            style: string;
            tags: string[];
            /** @example 1500 */
            target_length: number;
            /** Format: uuid */
            task_id: string;
            /** @example professional */
            tone: string;
            /** @example How tides follow the moon */
            topic: string;
        };
        UnsubscribeReply: {
            /**
             * @description Also for a token that is unknown.
             * @enum {boolean}
             */
            unsubscribed: true;
        };
        UnsubscribeRequest: {
            /**
             * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
             * @example de
             */
            language?: string;
            /** @example One-Click */
            "List-Unsubscribe"?: string;
            /** @description Of a link in a mail; it may stand in the query instead. */
            token?: string;
        };
        ViewReport: {
            /** @description Every day, oldest first. */
            daily: {
                /**
                 * Format: date
                 * @description In operator_timezone.
                 * @example 2026-11-30
                 */
                day: string;
                /**
                 * @description By crawlers, assistants, prefetching browsers, and at a rate that no reader has.
                 * @example 12
                 */
                machines: number;
                /**
                 * @description By readers.
                 * @example 12
                 */
                views: number;
            }[];
            /** @example 30 */
            days: number;
            /** @description By country, where analytics_country_header is set. */
            geo: {
                /** @example SE */
                country: string;
                /**
                 * @description By readers.
                 * @example 12
                 */
                views: number;
            }[];
            /** @description The 100 most read, withdrawn posts included. */
            posts: {
                /**
                 * @description By crawlers, assistants, prefetching browsers, and at a rate that no reader has.
                 * @example 12
                 */
                machines: number;
                /** Format: uuid */
                post_id: string;
                /** @example how-a-lighthouse-works */
                slug: string;
                /** @example How a lighthouse works */
                title: string;
                /**
                 * @description By readers.
                 * @example 12
                 */
                views: number;
            }[];
            /** @description The 100 hosts that most readers came from. Hosts beyond 1,000 a day count as other. */
            referrers: {
                /** @example news.example */
                host: string;
                /**
                 * @description By readers.
                 * @example 12
                 */
                views: number;
            }[];
        };
    };
    responses: {
        /**
         * @description The present state does not allow it.
         *
         *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
         */
        AmbiguousId: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "AMBIGUOUS_ID";
                };
            };
        };
        /**
         * @description The present state does not allow it.
         *
         *     - `CONFLICT`: The thing's state does not allow the change; read it again.
         */
        Conflict: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "CONFLICT";
                };
            };
        };
        /**
         * @description The token lacks the scope.
         *
         *     - `INSUFFICIENT_SCOPE`: The token lacks the scope that `WWW-Authenticate` names.
         */
        InsufficientScope: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "INSUFFICIENT_SCOPE";
                };
            };
        };
        /**
         * @description The service failed.
         *
         *     - `INTERNAL_ERROR`: Our fault; the log has the request id.
         */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "INTERNAL_ERROR";
                };
            };
        };
        /**
         * @description Not found.
         *
         *     - `NOT_FOUND`: There is no such thing, or it is not public.
         */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "NOT_FOUND";
                };
            };
        };
        /**
         * @description The body is too large.
         *
         *     - `PAYLOAD_TOO_LARGE`: The body is larger than the route takes.
         */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /**
         * @description It changed since it was read.
         *
         *     - `PRECONDITION_FAILED`: `If-Match` names a version that is not the present one; read it again.
         */
        PreconditionFailed: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "PRECONDITION_FAILED";
                };
            };
        };
        /**
         * @description The file has no such bytes.
         *
         *     - `RANGE_NOT_SATISFIABLE`: The file has no such bytes; `Content-Range` has its length.
         */
        RangeNotSatisfiable: {
            headers: {
                "Accept-Ranges": components["headers"]["Accept-Ranges"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Range": components["headers"]["Content-Range"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "RANGE_NOT_SATISFIABLE";
                };
            };
        };
        /**
         * @description Too many requests.
         *
         *     - `RATE_LIMITED`: Too many requests; wait for `Retry-After` seconds.
         */
        RateLimited: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "RATE_LIMITED";
                };
            };
        };
        /**
         * @description A part of the service does not answer.
         *
         *     - `SERVICE_UNAVAILABLE`: The database or another part does not answer; try again after `Retry-After` seconds.
         */
        ServiceUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /**
         * @description No valid token or signature.
         *
         *     - `UNAUTHORIZED`: No token, or one that is expired, revoked or not ours. Also a wrong signature or preview token.
         */
        Unauthorized: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "UNAUTHORIZED";
                };
            };
        };
        /**
         * @description The content type is not accepted.
         *
         *     - `UNSUPPORTED_MEDIA_TYPE`: The route takes another content type, or a body that is not compressed.
         */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /**
         * @description The request is not valid.
         *
         *     - `VALIDATION_ERROR`: A body, parameter or header is not as described; correct the fields that `errors` names.
         */
        ValidationError: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Referrer-Policy": components["headers"]["Referrer-Policy"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Frame-Options": components["headers"]["X-Frame-Options"];
                "X-Request-ID": components["headers"]["X-Request-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"] & {
                    /** @enum {unknown} */
                    error_code: "VALIDATION_ERROR";
                };
            };
        };
    };
    parameters: {
        /**
         * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
         * @example task-tides-2026-11-21
         */
        IdempotencyKey: string;
        /**
         * @description Only for the version with this ETag; another is refused with 412.
         * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
         */
        IfMatch: string;
        /**
         * @description Answer 304 when the file is no newer. If-None-Match counts first.
         * @example Sat, 21 Nov 2026 10:00:00 GMT
         */
        IfModifiedSince: string;
        /**
         * @description Answer 304 when the reader has the version with this ETag.
         * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
         */
        IfNoneMatch: string;
        /**
         * @description Heed Range only while the file has this ETag or this Last-Modified.
         * @example "1a2b-3c4d-5e6f"
         */
        IfRange: string;
        /**
         * @description Answer 412 when the file is newer. If-Match counts first.
         * @example Sat, 21 Nov 2026 10:00:00 GMT
         */
        IfUnmodifiedSince: string;
        /**
         * @description The bytes wanted (RFC 9110).
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description A UUID that the answer and the log repeat.
         * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
         */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description `bytes`: parts of the file may be asked for.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Methods the path takes.
         * @example GET, HEAD, POST
         */
        Allow: string;
        /**
         * @description How long the response may be cached.
         * @example public, max-age=0, must-revalidate
         */
        "Cache-Control": string;
        /**
         * @description Cache tags of the response, where cache_tag_header is Cache-Tag.
         * @example posts,settings
         */
        "Cache-Tag": string;
        /**
         * @description Which bytes of how many these are.
         * @example bytes 0-1023/482113
         */
        "Content-Range": string;
        /**
         * @description Forbids scripts, subresources and framing. A page has a policy of its own.
         * @example default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
         */
        "Content-Security-Policy": string;
        /**
         * @description Whether other sites may embed the response.
         * @example cross-origin
         */
        "Cross-Origin-Resource-Policy": string;
        /**
         * @description Strong entity tag of this response. Absent when Cache-Control is no-store.
         * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
         */
        ETag: string;
        /**
         * @description `true` when this is the first answer to the same Idempotency-Key again.
         * @example true
         */
        "Idempotency-Replayed": string;
        /**
         * @description `next` and `prev` page of a list (RFC 8288), when they exist.
         * @example </api/posts?offset=20>; rel="next"
         */
        Link: string;
        /**
         * @description Path of the resource.
         * @example /api/tasks/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
         */
        Location: string;
        /**
         * @description Requests a minute that the caller may make. Of several limits, the one that is reached first.
         * @example 6000
         */
        "RateLimit-Limit": number;
        /**
         * @description The limit and the length of its window in seconds.
         * @example 6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Requests that are left in this window.
         * @example 5999
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 42
         */
        "RateLimit-Reset": number;
        /**
         * @description No referrer is sent.
         * @example no-referrer
         */
        "Referrer-Policy": string;
        /**
         * @description Seconds to wait before the next request.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Cache tags of the response, where cache_tag_header is Surrogate-Key.
         * @example posts settings
         */
        "Surrogate-Key": string;
        /**
         * @description Request headers that the response depends on.
         * @example Accept-Encoding
         */
        Vary: string;
        /**
         * @description The authentication that is required (RFC 6750).
         * @example Bearer realm="galley", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description Browsers must not guess another content type.
         * @example nosniff
         */
        "X-Content-Type-Options": string;
        /**
         * @description Forbids framing, for old browsers.
         * @example DENY
         */
        "X-Frame-Options": string;
        /**
         * @description The request's own X-Request-ID when it was a UUID, else a new one; errors and the log have it, too.
         * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
         */
        "X-Request-ID": string;
        /**
         * @description Cache tags of the response, where cache_tag_header is xkey.
         * @example posts settings
         */
        xkey: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    oauthMetadata: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://example.org",
                     *       "token_endpoint": "https://example.org",
                     *       "revocation_endpoint": "https://example.org",
                     *       "grant_types_supported": [
                     *         "client_credentials"
                     *       ],
                     *       "response_types_supported": [
                     *         "text"
                     *       ],
                     *       "scopes_supported": [
                     *         "api:read"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "client_secret_post"
                     *       ],
                     *       "revocation_endpoint_auth_methods_supported": [
                     *         "client_secret_post"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        grant_types_supported: string[];
                        /** @example https://example.org */
                        issuer: string;
                        response_types_supported: string[];
                        /** @example https://example.org */
                        revocation_endpoint: string;
                        revocation_endpoint_auth_methods_supported: string[];
                        scopes_supported: string[];
                        /** @example https://example.org */
                        token_endpoint: string;
                        token_endpoint_auth_methods_supported: string[];
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    routeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same in hex alone, as Grafana sends it. */
                "X-Grafana-Alerting-Signature"?: string;
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
                /** @description `sha256=` and the HMAC-SHA256 of the raw body in hex. */
                "X-Signature-256"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMachineViews: {
        parameters: {
            query: {
                /**
                 * @description How many days, today included.
                 * @example 30
                 */
                days: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 30,
                     *       "machines": [
                     *         {
                     *           "name": "GPTBot",
                     *           "views": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MachineReport"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordView: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "how-a-lighthouse-works",
                 *       "referrer": "https://news.example/today"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Where the reader came from, as document.referrer has it. Only its host is stored.
                     * @example https://news.example/today
                     */
                    referrer?: string;
                    /** @example how-a-lighthouse-works */
                    slug: string;
                };
            };
        };
        responses: {
            /** @description Counted, where there is such a public post. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordViewByImage: {
        parameters: {
            query: {
                /** @example how-a-lighthouse-works */
                slug: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One transparent pixel. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": Blob;
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getViewScript: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/javascript; charset=utf-8": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getViews: {
        parameters: {
            query: {
                /**
                 * @description How many days, today included.
                 * @example 30
                 */
                days: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 30,
                     *       "daily": [
                     *         {
                     *           "day": "2026-11-30",
                     *           "views": 12,
                     *           "machines": 12
                     *         }
                     *       ],
                     *       "posts": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-a-lighthouse-works",
                     *           "title": "How a lighthouse works",
                     *           "views": 12,
                     *           "machines": 12
                     *         }
                     *       ],
                     *       "referrers": [
                     *         {
                     *           "host": "news.example",
                     *           "views": 12
                     *         }
                     *       ],
                     *       "geo": [
                     *         {
                     *           "country": "SE",
                     *           "views": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ViewReport"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @example operator */
                actor?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example settings.changed */
                event_type?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Only from this time on: ISO 8601; without an offset it is read in `operator_timezone`.
                 * @example 2027-01-31T09:00:00Z
                 */
                since?: string;
                /**
                 * @description Only before this time.
                 * @example 2027-01-31T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 12,
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "event_type": "settings.changed",
                     *           "actor": "operator",
                     *           "details": {}
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "slug": "science",
                     *           "name": "Science",
                     *           "description": "How the world works.",
                     *           "post_count": 12
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Category"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "science",
                     *       "name": "Science",
                     *       "description": "How the world works.",
                     *       "post_count": 12,
                     *       "posts": {
                     *         "items": [
                     *           {
                     *             "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *             "slug": "how-tides-follow-the-moon",
                     *             "title": "How tides follow the moon",
                     *             "excerpt": "Twice a day the sea rises.",
                     *             "status": "published",
                     *             "category": "science",
                     *             "tags": [
                     *               "tides"
                     *             ],
                     *             "seo_title": "How tides follow the moon",
                     *             "seo_description": "Why the sea rises twice a day.",
                     *             "seo_keywords": [
                     *               "tides"
                     *             ],
                     *             "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *             "published_at": "2026-11-21T10:00:00.000Z",
                     *             "awaiting_gate": null,
                     *             "niche_slug": "nature",
                     *             "media": {
                     *               "podcast_url": null,
                     *               "video_url": null,
                     *               "state": "done",
                     *               "error": null
                     *             },
                     *             "word_count": 1480,
                     *             "reading_minutes": 7,
                     *             "language": "en",
                     *             "author": "Ada Lovelace",
                     *             "metadata": {},
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T10:00:00.000Z"
                     *           }
                     *         ],
                     *         "total": 42,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @example How the world works. */
                        description: string;
                        /** @example Science */
                        name: string;
                        /** @example 12 */
                        post_count: number;
                        posts: {
                            items: components["schemas"]["PostSummary"][];
                            /** @example 20 */
                            limit: number;
                            /**
                             * @description Null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                            /** @example 0 */
                            offset: number;
                            /**
                             * @description Of all pages.
                             * @example 42
                             */
                            total: number;
                        };
                        /** @example science */
                        slug: string;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    describeCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Science",
                 *       "description": "How the world works."
                 *     }
                 */
                "application/json": components["schemas"]["CategoryPut"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "science",
                     *       "name": "Science",
                     *       "description": "How the world works.",
                     *       "post_count": 12
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCosts: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @description Only of this model. */
                model?: string;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Only for this post: its id, or 8 or more of its first characters.
                 * @example 3f2a9c1b
                 */
                post_id?: string;
                /**
                 * @description Only from this time on: ISO 8601; without an offset it is read in `operator_timezone`.
                 * @example 2027-01-31T09:00:00Z
                 */
                since?: string;
                /**
                 * @description Only for this task: its id, or 8 or more of its first characters.
                 * @example 3f2a9c1b
                 */
                task_id?: string;
                /**
                 * @description Only before this time.
                 * @example 2027-01-31T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "call_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "status": "settled",
                     *           "kind": "chat",
                     *           "model": "gpt-5-mini",
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "attempt": 1,
                     *           "part": "draft",
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "niche_slug": "nature",
                     *           "amount": 0.0125,
                     *           "reserved": 0.0125,
                     *           "basis": "usage",
                     *           "is_priced": true,
                     *           "usage": {
                     *             "input_tokens": 1200,
                     *             "output_tokens": 900
                     *           },
                     *           "settled_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null,
                     *       "amount": 1.25
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Of all pages together.
                         * @example 1.25
                         */
                        amount: number;
                        items: components["schemas"]["CostCall"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    correctCost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "0.25",
                 *       "reason": "as billed"
                 *     }
                 */
                "application/json": components["schemas"]["CostCorrection"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "call_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "at": "2026-11-21T10:00:00.000Z",
                     *       "status": "settled",
                     *       "kind": "chat",
                     *       "model": "gpt-5-mini",
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "attempt": 1,
                     *       "part": "draft",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "niche_slug": "nature",
                     *       "amount": 0.0125,
                     *       "reserved": 0.0125,
                     *       "basis": "usage",
                     *       "is_priced": true,
                     *       "usage": {
                     *         "input_tokens": 1200,
                     *         "output_tokens": 900
                     *       },
                     *       "settled_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CostCall"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCostBudget: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "monthly_budget": 20,
                     *       "amount_spent": 0.0125,
                     *       "amount_remaining": 19.98,
                     *       "percent_used": 0.06,
                     *       "projected_final_cost": 0.0125,
                     *       "days_remaining": 7,
                     *       "status": "on_track"
                     *     }
                     */
                    "application/json": components["schemas"]["CostBudget"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTaskCost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "amount": 0.0125,
                     *       "currency": "USD",
                     *       "calls": 2,
                     *       "attempts": [
                     *         {
                     *           "attempt": 1,
                     *           "amount": 0.0125,
                     *           "parts": [
                     *             {
                     *               "part": "critic",
                     *               "amount": 0.0125,
                     *               "calls": 2
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_run": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "based_on": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskCost"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExportJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "state": "running",
                     *       "posts": 12000,
                     *       "public_posts": 42000,
                     *       "report": null,
                     *       "error": null,
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RebuildJob"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rebuildExport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async` asks for 202 at once, `respond-async, wait=5` after 5 seconds; absent: after 30. */
                Prefer?: string;
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description With 202: where the job is. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "posts": 42,
                     *       "files": 48,
                     *       "unfinished": 0,
                     *       "removed": 1,
                     *       "bytes": 812345,
                     *       "duration_ms": 130
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Size of all files.
                         * @example 812345
                         */
                        bytes: number;
                        /** @example 130 */
                        duration_ms: number;
                        /**
                         * @description Files the export consists of.
                         * @example 48
                         */
                        files: number;
                        /**
                         * @description Public posts, each with a file.
                         * @example 42
                         */
                        posts: number;
                        /**
                         * @description Files of posts that are no longer public.
                         * @example 1
                         */
                        removed: number;
                        /**
                         * @description Pages that lack a part, as the theme or the sizes of pictures. The next runs make them again.
                         * @example 0
                         */
                        unfinished: number;
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description With 202: where the job is. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                         */
                        job_id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGates: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "gate_name": "topic_decision",
                     *           "mechanism": "configurable",
                     *           "enabled": true,
                     *           "pending_count": 3,
                     *           "wired_into": "the topic queue",
                     *           "setting_key": "pipeline_gate_topic_decision",
                     *           "auto_publish_threshold": 0,
                     *           "require_human_approval": true
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Gate"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setGate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the gate.
                 * @example text
                 */
                gate_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "gate_name": "topic_decision",
                     *       "mechanism": "configurable",
                     *       "enabled": true,
                     *       "pending_count": 3,
                     *       "wired_into": "the topic queue",
                     *       "setting_key": "pipeline_gate_topic_decision",
                     *       "auto_publish_threshold": 0,
                     *       "require_human_approval": true
                     *     }
                     */
                    "application/json": components["schemas"]["Gate"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveAtGate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the gate.
                 * @example text
                 */
                gate_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f2a9c1b",
                 *       "reason": "text",
                 *       "content_hash": "text",
                 *       "force": true
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalRequest"];
            };
        };
        responses: {
            /** @description What was held, as it is now: a Topic, a Task or a Post. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `CONTENT_CHANGED`: The content is not what the decision was about; look at it again and decide then.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "CONTENT_CHANGED";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectAtGate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the gate.
                 * @example text
                 */
                gate_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "3f2a9c1b",
                 *       "reason": "text",
                 *       "content_hash": "text"
                 *     }
                 */
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description What was held, as it is now: a Topic, a Task or a Post. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `CONTENT_CHANGED`: The content is not what the decision was about; look at it again and decide then.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "CONTENT_CHANGED";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGateHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /**
                 * @description Only what is at this gate.
                 * @example awaiting_approval
                 */
                gate_name?: string;
                /** @description Only of this task and its post, by the id of either. */
                id?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "gate_name": "topic_decision",
                     *           "subject_type": "task",
                     *           "subject_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "decision": "approved",
                     *           "actor": "operator",
                     *           "reason": "Say more about spring tides.",
                     *           "content_hash": null
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["GateDecision"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPending: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /**
                 * @description Only what is at this gate.
                 * @example awaiting_approval
                 */
                gate_name?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "gate_name": "topic_decision",
                     *           "subject_type": "task",
                     *           "subject_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "title": "How tides follow the moon",
                     *           "content_hash": null,
                     *           "slot": null,
                     *           "actor": "pipeline",
                     *           "reason": "Say more about spring tides.",
                     *           "held_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["HeldItem"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "service": "galley",
                     *       "version": "0.1.0",
                     *       "timestamp": "2026-11-21T10:00:00.000Z",
                     *       "components": {
                     *         "database": "healthy",
                     *         "connection_pool": {
                     *           "size": 10,
                     *           "idle": 9
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            /** @description A part of the service does not answer. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "service": "galley",
                     *       "version": "0.1.0",
                     *       "timestamp": "2026-11-21T10:00:00.000Z",
                     *       "components": {
                     *         "database": "healthy",
                     *         "connection_pool": {
                     *           "size": 10,
                     *           "idle": 9
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    addImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": Blob;
                "image/avif": Blob;
                "image/gif": Blob;
                "image/jpeg": Blob;
                "image/png": Blob;
                "image/webp": Blob;
                /**
                 * @example {
                 *       "file": "text"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "filename": "0f3a5c.jpg",
                     *       "url": "https://example.org/images/generated/0f3a5c.jpg",
                     *       "width": 1200,
                     *       "height": 630,
                     *       "bytes": 48213,
                     *       "content_type": "image/jpeg"
                     *     }
                     */
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMediaJobs: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Only those of this post.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                post_id?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "job_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "media": [
                     *             "podcast"
                     *           ],
                     *           "state": "running",
                     *           "progress": 42,
                     *           "error": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MediaJob"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMediaJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the job, or 8 or more of its first characters.
                 * @example text
                 */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "media": [
                     *         "podcast"
                     *       ],
                     *       "state": "running",
                     *       "progress": 42,
                     *       "error": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "files": [
                     *         {
                     *           "url": "https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp3",
                     *           "bytes": 893211,
                     *           "duration_ms": 111400,
                     *           "made_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MediaJobDetails"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMemory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /** @example brain */
                source_table?: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
                /** @description Only what this one stored */
                writer?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "source_table": "brain",
                     *           "source_id": "notes/tides.md",
                     *           "writer": "operator",
                     *           "title": "Tides",
                     *           "url": "https://example.org/tides",
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "bytes": 26,
                     *           "passages": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MemoryEntrySummary"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    storeMemory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Twice a day the sea rises.",
                 *       "writer": "operator",
                 *       "source_table": "memory",
                 *       "source_id": "notes/tides.md",
                 *       "title": "text",
                 *       "url": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["NewMemory"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source_table": "brain",
                     *       "source_id": "notes/tides.md",
                     *       "chunks": 3,
                     *       "stored": true
                     *     }
                     */
                    "application/json": components["schemas"]["StoredMemory"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source_table": "brain",
                     *       "source_id": "notes/tides.md",
                     *       "chunks": 3,
                     *       "stored": true
                     *     }
                     */
                    "application/json": components["schemas"]["StoredMemory"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readMemory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                source_id: string;
                /** @example brain */
                source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source_table": "brain",
                     *       "source_id": "notes/tides.md",
                     *       "writer": "operator",
                     *       "title": "Tides",
                     *       "url": "https://example.org/tides",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "bytes": 26,
                     *       "passages": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "text": "Twice a day the sea rises.",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryEntry"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMemory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                source_id: string;
                /** @example brain */
                source_table: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchMemory: {
        parameters: {
            query: {
                /** @example 5 */
                limit?: number;
                /**
                 * @description Cosine below which a passage is left out
                 * @example 0.5
                 */
                min_similarity?: number;
                /**
                 * @description hybrid fuses the ranking by similarity with the one by shared words
                 * @example similarity
                 */
                mode?: "similarity" | "hybrid";
                /**
                 * @description What is sought, in words
                 * @example what moves the tides
                 */
                q: string;
                /** @example brain */
                source_table?: "brain" | "audit" | "posts" | "memory" | "claude_sessions" | "issues";
                /** @description Comma list: only what has every one of these tags */
                tags?: string;
                writer?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "source_table": "brain",
                     *           "source_id": "notes/tides.md",
                     *           "chunk": 0,
                     *           "writer": "operator",
                     *           "text": "Twice a day the sea rises.",
                     *           "similarity": 0.82,
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "metadata": {},
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 0,
                     *       "limit": 0,
                     *       "offset": 0,
                     *       "next_cursor": null,
                     *       "degraded": false
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description True while the embedder does not answer: found by words alone
                         * @example false
                         */
                        degraded: boolean;
                        items: components["schemas"]["MemoryMatch"][];
                        limit: number;
                        /** @description Only the nearest are found: there is no next page. */
                        next_cursor: null;
                        offset: number;
                        /** @description How many match; where more than some thousand passages are asked for, counted among the 400 nearest (30 with a filter) and those found by words */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readMemoryStats: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 120,
                     *       "pending": 0,
                     *       "fault": "text",
                     *       "refused": 0,
                     *       "refusals": [
                     *         {
                     *           "source_table": "brain",
                     *           "source_id": "text",
                     *           "chunk": 0,
                     *           "reason": "text"
                     *         }
                     *       ],
                     *       "model": "embedded",
                     *       "serving_model": "embedded",
                     *       "dimensions": 768,
                     *       "by_source_table": [
                     *         {
                     *           "key": "posts",
                     *           "count": 120,
                     *           "oldest": "2026-11-21T10:00:00.000Z",
                     *           "newest": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "by_writer": [
                     *         {
                     *           "key": "posts",
                     *           "count": 120,
                     *           "oldest": "2026-11-21T10:00:00.000Z",
                     *           "newest": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryStats"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPipelineEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only what this client or part did.
                 * @example pipeline
                 */
                actor?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Only from this time on: ISO 8601; without an offset it is read in `operator_timezone`.
                 * @example 2027-01-31T09:00:00Z
                 */
                since?: string;
                /**
                 * @description Only transitions of this type.
                 * @example qa_passed
                 */
                type?: string;
                /**
                 * @description Only before this time.
                 * @example 2027-01-31T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 42,
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "type": "draft_done",
                     *           "from": "in_progress",
                     *           "to": "in_progress",
                     *           "actor": "pipeline",
                     *           "detail": {}
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["PipelineEvent"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaskEvents: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": 42,
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "type": "draft_done",
                     *           "from": "in_progress",
                     *           "to": "in_progress",
                     *           "actor": "pipeline",
                     *           "detail": {}
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["PipelineEvent"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** @description Slug of a category. */
                category?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Any other than published needs a bearer token.
                 * @example draft
                 */
                status?: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
                /** @description Slug of a tag. */
                tag?: string;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "status": "published",
                     *           "category": "science",
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "seo_title": "How tides follow the moon",
                     *           "seo_description": "Why the sea rises twice a day.",
                     *           "seo_keywords": [
                     *             "tides"
                     *           ],
                     *           "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *           "published_at": "2026-11-21T10:00:00.000Z",
                     *           "awaiting_gate": null,
                     *           "niche_slug": "nature",
                     *           "media": {
                     *             "podcast_url": null,
                     *             "video_url": null,
                     *             "state": "done",
                     *             "error": null
                     *           },
                     *           "word_count": 1480,
                     *           "reading_minutes": 7,
                     *           "language": "en",
                     *           "author": "Ada Lovelace",
                     *           "metadata": {},
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["PostSummary"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Why tides come twice a day",
                 *       "slug": "why-tides-come-twice-a-day",
                 *       "excerpt": "text",
                 *       "category": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "content": "# How tides follow the moon\n\nTwice a day …",
                 *       "niche_slug": "text",
                 *       "status": "draft",
                 *       "media": [
                 *         "podcast"
                 *       ],
                 *       "force": false
                 *     }
                 */
                "application/json": components["schemas"]["NewPost"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description Path of the post. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "preview_url": "https://example.org/preview/eyJhbGciOi"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPost"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description Path of the post. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "preview_url": "https://example.org/preview/eyJhbGciOi"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPost"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `DUPLICATE_TITLE`: A published post has nearly this title; change it, or force.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "DUPLICATE_TITLE";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "force": false
                 *     }
                 */
                "application/json": components["schemas"]["PostPublication"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `DUPLICATE_CONTENT`: The draft nearly repeats a post that was published or scheduled since; change or reject it, or force.
             *     - `NICHE_REQUIRED`: The post has no niche_slug, and `niche_gated_publishing` is on; give it one, or force.
             *     - `TASK_ALREADY_REJECTED`: The task was rejected before this decision.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "DUPLICATE_CONTENT" | "NICHE_REQUIRED" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restorePost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unpublishPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "unpublished": true,
                     *       "status": "draft"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        post_id: string;
                        /** @enum {unknown} */
                        status: "draft" | "awaiting_approval" | "approved" | "scheduled" | "published" | "archived";
                        /** @description False when it was not published: nothing changed. */
                        unpublished: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            /** @description The slug has changed: Location has the new one. */
            301: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archivePost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Here the post_id. A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID";
                    };
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    editPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Here the post_id. A UUID, or 8 or more of its first characters.
                 * @example text
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Why tides come twice a day",
                 *       "slug": "why-tides-come-twice-a-day",
                 *       "excerpt": "text",
                 *       "content": "text",
                 *       "category": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "seo_title": "text",
                 *       "seo_description": "text",
                 *       "seo_keywords": [
                 *         "text"
                 *       ],
                 *       "featured_image_url": "https://example.org/tides.png",
                 *       "language": "pt-BR",
                 *       "author": "text",
                 *       "niche_slug": "text"
                 *     }
                 */
                "application/json": components["schemas"]["PostPatch"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "TASK_IN_PROGRESS";
                    };
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRelatedPosts: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 5 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "status": "published",
                     *           "category": "science",
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "seo_title": "How tides follow the moon",
                     *           "seo_description": "Why the sea rises twice a day.",
                     *           "seo_keywords": [
                     *             "tides"
                     *           ],
                     *           "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *           "published_at": "2026-11-21T10:00:00.000Z",
                     *           "awaiting_gate": null,
                     *           "niche_slug": "nature",
                     *           "media": {
                     *             "podcast_url": null,
                     *             "video_url": null,
                     *             "state": "done",
                     *             "error": null
                     *           },
                     *           "word_count": 1480,
                     *           "reading_minutes": 7,
                     *           "language": "en",
                     *           "author": "Ada Lovelace",
                     *           "metadata": {},
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z",
                     *           "score": 0.031
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null,
                     *       "degraded": true
                     *     }
                     */
                    "application/json": {
                        /** @description True when no embedder answered, so that only words count, when the time a query may take was up, when a part of the index is missing or posts wait for it, when the search engine does not answer or is behind, or when more words begin as an excluded beginning than are excluded, which is 1,000: what could be found. Absent otherwise. */
                        degraded?: boolean;
                        items: components["schemas"]["RelatedPost"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            /** @description The slug has changed: Location has the new one. */
            301: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Location: components["headers"]["Location"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewPost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                preview_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    /** @description `noindex, nofollow`: no search engine lists it. */
                    "X-Robots-Tag"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "slug": "how-tides-follow-the-moon",
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "content": "Twice a day the sea rises.",
                     *       "content_html": "<p>Twice a day the sea rises.</p>",
                     *       "status": "published",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "seo_title": "How tides follow the moon",
                     *       "seo_description": "Why the sea rises twice a day.",
                     *       "seo_keywords": [
                     *         "tides"
                     *       ],
                     *       "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "awaiting_gate": null,
                     *       "niche_slug": "nature",
                     *       "media": {
                     *         "podcast_url": null,
                     *         "video_url": null,
                     *         "state": "done",
                     *         "error": null
                     *       },
                     *       "word_count": 1480,
                     *       "reading_minutes": 7,
                     *       "language": "en",
                     *       "author": "Ada Lovelace",
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchPosts: {
        parameters: {
            query: {
                /** @description Slug of a category. */
                category?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @description Count the labels of what is found. */
                facets?: boolean;
                /**
                 * @description Published on this day or later, such as 2026-11-01; or a time in UTC.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description BCP 47. Only posts in this language, and the query is read in it.
                 * @example de
                 */
                language?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Words, "phrases", -without, begin*, this or that; at most 500 characters. The first 200,000 characters of a post are searched.
                 * @example tides moon
                 */
                q: string;
                /** @description Slug of a tag. */
                tag?: string;
                /**
                 * @description Published before this day, such as 2026-12-01; or a time in UTC.
                 * @example 2026-11-01
                 */
                to?: string;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "status": "published",
                     *           "category": "science",
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "seo_title": "How tides follow the moon",
                     *           "seo_description": "Why the sea rises twice a day.",
                     *           "seo_keywords": [
                     *             "tides"
                     *           ],
                     *           "featured_image_url": "https://example.org/images/generated/cover-3f2a9c1b.png",
                     *           "published_at": "2026-11-21T10:00:00.000Z",
                     *           "awaiting_gate": null,
                     *           "niche_slug": "nature",
                     *           "media": {
                     *             "podcast_url": null,
                     *             "video_url": null,
                     *             "state": "done",
                     *             "error": null
                     *           },
                     *           "word_count": 1480,
                     *           "reading_minutes": 7,
                     *           "language": "en",
                     *           "author": "Ada Lovelace",
                     *           "metadata": {},
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z",
                     *           "score": 0.031,
                     *           "snippet": "The <mark>tides</mark> follow"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null,
                     *       "total_is_minimum": true,
                     *       "corrected": [
                     *         {
                     *           "from": "lihgthouse",
                     *           "to": "lighthouse"
                     *         }
                     *       ],
                     *       "facets": {
                     *         "category": [
                     *           {
                     *             "value": "science",
                     *             "count": 12
                     *           }
                     *         ],
                     *         "tag": [
                     *           {
                     *             "value": "science",
                     *             "count": 12
                     *           }
                     *         ],
                     *         "language": [
                     *           {
                     *             "value": "science",
                     *             "count": 12
                     *           }
                     *         ],
                     *         "year": [
                     *           {
                     *             "value": "science",
                     *             "count": 12
                     *           }
                     *         ]
                     *       },
                     *       "degraded": true
                     *     }
                     */
                    "application/json": {
                        /** @description Words that no public post has, each with a word that was searched for instead, or several times with up to three. In lower case, Latin letters without accents. Absent when there are none. */
                        corrected?: components["schemas"]["Correction"][];
                        /** @description True when no embedder answered, so that only words count, when the time a query may take was up, when a part of the index is missing or posts wait for it, when the search engine does not answer or is behind, or when more words begin as an excluded beginning than are excluded, which is 1,000: what could be found. Absent otherwise. */
                        degraded?: boolean;
                        /** @description When asked for: how many of the posts found have each label, at most 20 of a kind; of more than 10,000 posts, of 10,000 of them. */
                        facets?: {
                            category: {
                                /** @example 12 */
                                count: number;
                                /** @example science */
                                value: string;
                            }[];
                            language: {
                                /** @example 12 */
                                count: number;
                                /** @example science */
                                value: string;
                            }[];
                            tag: {
                                /** @example 12 */
                                count: number;
                                /** @example science */
                                value: string;
                            }[];
                            year: {
                                /** @example 12 */
                                count: number;
                                /** @example science */
                                value: string;
                            }[];
                        };
                        items: components["schemas"]["FoundPost"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                        /** @description True when more posts may be found than `total`, which says how many of them pages show: more words begin as asked for than are looked for, or a search engine finds more than 10,000 posts. Absent otherwise. */
                        total_is_minimum?: boolean;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    suggestPosts: {
        parameters: {
            query: {
                /** @example 8 */
                limit?: number;
                /**
                 * @description What a reader has typed so far. From two letters on there are suggestions.
                 * @example tides mo
                 */
                q: string;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "title": "How tides follow the moon",
                     *           "slug": "how-tides-follow-the-moon"
                     *         }
                     *       ],
                     *       "completions": [
                     *         "moon"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Words of titles that begin with the last word, those of most titles first; in lower case and without accents. */
                        completions: string[];
                        /** @description Public posts whose titles have the words, the last of them as a beginning: those that begin with the first word, then the newest. */
                        items: components["schemas"]["Suggestion"][];
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revalidatePath: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "/posts/tides"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A path on the website: it begins with one /, and has no blank, \ or #.
                     * @example /posts/tides
                     */
                    path: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revalidated": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Whether everybody who is set up has answered with a success. Otherwise it is tried again in the background, or nobody is set up.
                         * @example true
                         */
                        revalidated: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRevenue: {
        parameters: {
            query?: {
                /**
                 * @description The present month included.
                 * @example 12
                 */
                months?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "months": 12,
                     *       "items": [
                     *         {
                     *           "month": "2026-11",
                     *           "currency": "EUR",
                     *           "payments": 12,
                     *           "refunds": 1,
                     *           "gross": "228.00",
                     *           "refunded": "19.00",
                     *           "net": "209.00",
                     *           "plans": [
                     *             {
                     *               "plan": "Pro",
                     *               "payments": 12,
                     *               "gross": "228.00"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Revenue"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSchedule: {
        parameters: {
            query?: {
                /**
                 * @description Also slots that were reached.
                 * @example false
                 */
                all?: boolean;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "published_at": "2027-01-31T09:00:00.000Z",
                     *           "status": "scheduled"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null,
                     *       "ok": true,
                     *       "detail": "1 post has a slot.",
                     *       "count": 1
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Items in this answer.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description One sentence for people.
                         * @example 1 post has a slot.
                         */
                        detail: string;
                        items: components["schemas"]["ScheduledPost"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        ok: boolean;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    schedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "post_id": "text",
                 *       "when": "text",
                 *       "publish_at": "text",
                 *       "in": "text",
                 *       "count": 1,
                 *       "interval": "text",
                 *       "start": "text",
                 *       "quiet_hours": "text",
                 *       "ordered_by": "approved_at",
                 *       "force": true,
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "detail": "1 post has a slot.",
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "published_at": "2027-01-31T09:00:00.000Z",
                     *           "status": "scheduled"
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "dry_run": true,
                     *       "skipped": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "reason": "it has no niche_slug, and niche_gated_publishing is on"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Items in this answer.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description One sentence for people.
                         * @example 1 post has a slot.
                         */
                        detail: string;
                        /** @description Of a batch. */
                        dry_run?: boolean;
                        items: components["schemas"]["ScheduledPost"][];
                        ok: boolean;
                        /** @description Of a batch: posts that it skipped as they have no niche or nearly repeat another; at most 100 for each reason. */
                        skipped?: {
                            /** Format: uuid */
                            post_id: string;
                            /** @example it has no niche_slug, and niche_gated_publishing is on */
                            reason: string;
                            /** @example how-tides-follow-the-moon */
                            slug: string;
                            /** @example How tides follow the moon */
                            title: string;
                        }[];
                        /** @description Of one post: a slot in the quiet hours, which bind batches only. */
                        warnings?: string[];
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `DUPLICATE_CONTENT`: The draft nearly repeats a post that was published or scheduled since; change or reject it, or force.
             *     - `NICHE_REQUIRED`: The post has no niche_slug, and `niche_gated_publishing` is on; give it one, or force.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "DUPLICATE_CONTENT" | "NICHE_REQUIRED";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSettings: {
        parameters: {
            query?: {
                category?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @description Of a page; default: 20. */
                limit?: number;
                offset?: number;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "publish_quiet_hours",
                     *           "value": "22:00-07:00",
                     *           "default": "",
                     *           "bounds": "at most 11 characters",
                     *           "category": "machine",
                     *           "description": "Quiet window HH:MM-HH:MM for batches.",
                     *           "is_secret": false,
                     *           "is_machine": false,
                     *           "is_active": true,
                     *           "sent_to": "https://api.openai.com",
                     *           "fault": "llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.",
                     *           "updated_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Setting"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSetting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "publish_quiet_hours",
                     *       "value": "22:00-07:00",
                     *       "default": "",
                     *       "bounds": "at most 11 characters",
                     *       "category": "machine",
                     *       "description": "Quiet window HH:MM-HH:MM for batches.",
                     *       "is_secret": false,
                     *       "is_machine": false,
                     *       "is_active": true,
                     *       "sent_to": "https://api.openai.com",
                     *       "fault": "llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Setting"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putSetting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "22:00-07:00"
                 *     }
                 */
                "application/json": {
                    /** @example 22:00-07:00 */
                    value: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "publish_quiet_hours",
                     *       "value": "22:00-07:00",
                     *       "default": "",
                     *       "bounds": "at most 11 characters",
                     *       "category": "machine",
                     *       "description": "Quiet window HH:MM-HH:MM for batches.",
                     *       "is_secret": false,
                     *       "is_machine": false,
                     *       "is_active": true,
                     *       "sent_to": "https://api.openai.com",
                     *       "fault": "llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Setting"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSetting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "publish_quiet_hours",
                     *       "value": "22:00-07:00",
                     *       "default": "",
                     *       "bounds": "at most 11 characters",
                     *       "category": "machine",
                     *       "description": "Quiet window HH:MM-HH:MM for batches.",
                     *       "is_secret": false,
                     *       "is_machine": false,
                     *       "is_active": true,
                     *       "sent_to": "https://api.openai.com",
                     *       "fault": "llm_api_key was set for https://api.openai.com and is not sent to http://127.0.0.1:11434: set it again for that host.",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Setting"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "slug": "tides",
                     *           "name": "tides",
                     *           "post_count": 3
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Tag"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Slug of the category. */
                category?: string;
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @description Of this niche. */
                niche_slug?: string;
                /** @example 0 */
                offset?: number;
                /**
                 * @description Only from this time on: ISO 8601; without an offset it is read in `operator_timezone`.
                 * @example 2027-01-31T09:00:00Z
                 */
                since?: string;
                /** @example pending */
                status?: "pending" | "in_progress" | "awaiting_gate" | "awaiting_approval" | "approved" | "published" | "rejected" | "rejected_retry" | "rejected_final" | "dismissed" | "failed";
                /**
                 * @description Only before this time.
                 * @example 2027-01-31T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "topic": "How tides follow the moon",
                     *           "category": "science",
                     *           "tags": [
                     *             "tides"
                     *           ],
                     *           "primary_keyword": "tides",
                     *           "target_length": 1500,
                     *           "style": "explanatory",
                     *           "tone": "plain",
                     *           "target_audience": "curious readers",
                     *           "niche_slug": "nature",
                     *           "status": "awaiting_approval",
                     *           "awaiting_gate": null,
                     *           "stage": "qa",
                     *           "progress": 100,
                     *           "attempt": 1,
                     *           "feedback": "Say more about spring tides.",
                     *           "reason": "too short",
                     *           "qa": {
                     *             "score": 91.5,
                     *             "passed": true,
                     *             "rails": [
                     *               {
                     *                 "name": "readability",
                     *                 "required": true,
                     *                 "passed": true,
                     *                 "score": 92,
                     *                 "note": "grade 9"
                     *               }
                     *             ]
                     *           },
                     *           "title": "How tides follow the moon",
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "post_slug": "how-tides-follow-the-moon",
                     *           "published_url": "https://example.org/how-tides-follow-the-moon",
                     *           "preview_url": "https://example.org/preview/eyJ…",
                     *           "publish_at": "2026-11-21T10:00:00.000Z",
                     *           "error": null,
                     *           "metadata": {},
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "updated_at": "2026-11-21T10:00:00.000Z",
                     *           "started_at": "2026-11-21T10:00:00.000Z",
                     *           "completed_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["TaskSummary"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topic": "How tides follow the moon",
                 *       "category": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "primary_keyword": "text",
                 *       "target_length": 1500,
                 *       "style": "text",
                 *       "tone": "text",
                 *       "target_audience": "text",
                 *       "niche_slug": "text",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description Path of the task. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approved": true,
                 *       "publish_at": "2027-01-31T09:00:00Z",
                 *       "force": false,
                 *       "feedback": "text",
                 *       "reason": "text"
                 *     }
                 */
                "application/json": components["schemas"]["TaskApproval"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `DUPLICATE_CONTENT`: The draft nearly repeats a post that was published or scheduled since; change or reject it, or force.
             *     - `NICHE_REQUIRED`: The post has no niche_slug, and `niche_gated_publishing` is on; give it one, or force.
             *     - `TASK_ALREADY_REJECTED`: The task was rejected before this decision.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "DUPLICATE_CONTENT" | "NICHE_REQUIRED" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "text"
                 *     }
                 */
                "application/json": components["schemas"]["TaskDecision"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `TASK_ALREADY_REJECTED`: The task was rejected before this decision.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "feedback": "Say more about spring tides.",
                 *       "reason": "text",
                 *       "allow_revisions": true
                 *     }
                 */
                "application/json": components["schemas"]["TaskRejection"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `TASK_ALREADY_REJECTED`: The task was rejected before this decision.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "text"
                 *     }
                 */
                "application/json": components["schemas"]["TaskDecision"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "category": "science",
                     *       "tags": [
                     *         "tides"
                     *       ],
                     *       "primary_keyword": "tides",
                     *       "target_length": 1500,
                     *       "style": "explanatory",
                     *       "tone": "plain",
                     *       "target_audience": "curious readers",
                     *       "niche_slug": "nature",
                     *       "status": "awaiting_approval",
                     *       "awaiting_gate": null,
                     *       "stage": "qa",
                     *       "progress": 100,
                     *       "attempt": 1,
                     *       "feedback": "Say more about spring tides.",
                     *       "reason": "too short",
                     *       "qa": {
                     *         "score": 91.5,
                     *         "passed": true,
                     *         "rails": [
                     *           {
                     *             "name": "readability",
                     *             "required": true,
                     *             "passed": true,
                     *             "score": 92,
                     *             "note": "grade 9"
                     *           }
                     *         ]
                     *       },
                     *       "title": "How tides follow the moon",
                     *       "excerpt": "Twice a day the sea rises.",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_slug": "how-tides-follow-the-moon",
                     *       "published_url": "https://example.org/how-tides-follow-the-moon",
                     *       "preview_url": "https://example.org/preview/eyJ…",
                     *       "publish_at": "2026-11-21T10:00:00.000Z",
                     *       "error": null,
                     *       "metadata": {},
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "started_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.000Z",
                     *       "content": "Twice a day the sea rises.",
                     *       "cost": {
                     *         "amount": 0.0125,
                     *         "currency": "USD",
                     *         "calls": 2,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "amount": 0.0125,
                     *             "parts": [
                     *               {
                     *                 "part": "critic",
                     *                 "amount": 0.0125,
                     *                 "calls": 2
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "next_run": {
                     *           "amount": 0.0125,
                     *           "currency": "USD",
                     *           "based_on": 3
                     *         }
                     *       },
                     *       "warnings": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `TASK_ALREADY_REJECTED`: The task was rejected before this decision.
             *     - `TASK_IN_PROGRESS`: The pipeline is writing the task; decide, or edit the text of its post, when it is done.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "TASK_ALREADY_REJECTED" | "TASK_IN_PROGRESS";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testNotifyOperator: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sent": true,
                     *       "messages": [
                     *         {
                     *           "id": 7,
                     *           "channel": "telegram",
                     *           "state": "sent",
                     *           "message_id": "4711",
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        messages: {
                            /** @example telegram */
                            channel: string;
                            /** @example null */
                            error: string | null;
                            /** @example 7 */
                            id: number;
                            /**
                             * @description The chat service's own id.
                             * @example 4711
                             */
                            message_id: string | null;
                            /**
                             * @description sent, failed, or unknown: it may have arrived.
                             * @example sent
                             */
                            state: string;
                        }[];
                        /** @description True when every chat accepted the message. */
                        sent: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
                /** @description Only from this source. */
                source?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "topic": "How tides follow the moon",
                     *           "primary_keyword": "tides",
                     *           "tags": [
                     *             "sea"
                     *           ],
                     *           "category": "science",
                     *           "source": "manual",
                     *           "target_length": 1500,
                     *           "style": "technical",
                     *           "tone": "professional",
                     *           "status": "awaiting_gate",
                     *           "awaiting_gate": "topic_decision",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "near_duplicate": null,
                     *           "artifact": {
                     *             "topic": "How tides follow the moon",
                     *             "keyword": "tides",
                     *             "tags": [
                     *               "sea"
                     *             ],
                     *             "category": "science",
                     *             "source": "manual",
                     *             "target_length": 1500,
                     *             "style": "technical",
                     *             "tone": "professional"
                     *           }
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Topic"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    proposeTopic: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topic": "How tides follow the moon",
                 *       "category": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "primary_keyword": "text",
                 *       "target_length": 1500,
                 *       "style": "text",
                 *       "tone": "text",
                 *       "source": "api",
                 *       "strict": false
                 *     }
                 */
                "application/json": components["schemas"]["NewTopic"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    /** @description Path of the topic. */
                    Location?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "primary_keyword": "tides",
                     *       "tags": [
                     *         "sea"
                     *       ],
                     *       "category": "science",
                     *       "source": "manual",
                     *       "target_length": 1500,
                     *       "style": "technical",
                     *       "tone": "professional",
                     *       "status": "awaiting_gate",
                     *       "awaiting_gate": "topic_decision",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "near_duplicate": null,
                     *       "artifact": {
                     *         "topic": "How tides follow the moon",
                     *         "keyword": "tides",
                     *         "tags": [
                     *           "sea"
                     *         ],
                     *         "category": "science",
                     *         "source": "manual",
                     *         "target_length": 1500,
                     *         "style": "technical",
                     *         "tone": "professional"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Topic"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             *     - `TOPIC_QUEUE_FULL`: Too many topics wait for a decision; decide some first.
             *     - `DUPLICATE_TOPIC`: The topic nearly repeats an open topic or a published post; leave out `--strict` to propose it anyway.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST" | "TOPIC_QUEUE_FULL" | "DUPLICATE_TOPIC";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTopic: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "primary_keyword": "tides",
                     *       "tags": [
                     *         "sea"
                     *       ],
                     *       "category": "science",
                     *       "source": "manual",
                     *       "target_length": 1500,
                     *       "style": "technical",
                     *       "tone": "professional",
                     *       "status": "awaiting_gate",
                     *       "awaiting_gate": "topic_decision",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "near_duplicate": null,
                     *       "artifact": {
                     *         "topic": "How tides follow the moon",
                     *         "keyword": "tides",
                     *         "tags": [
                     *           "sea"
                     *         ],
                     *         "category": "science",
                     *         "source": "manual",
                     *         "target_length": 1500,
                     *         "style": "technical",
                     *         "tone": "professional"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Topic"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AmbiguousId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveTopic: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "feedback": null
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Feedback for the writer, stored with the task.
                     * @example null
                     */
                    feedback?: string | null;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "primary_keyword": "tides",
                     *       "tags": [
                     *         "sea"
                     *       ],
                     *       "category": "science",
                     *       "source": "manual",
                     *       "target_length": 1500,
                     *       "style": "technical",
                     *       "tone": "professional",
                     *       "status": "awaiting_gate",
                     *       "awaiting_gate": "topic_decision",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "near_duplicate": null,
                     *       "artifact": {
                     *         "topic": "How tides follow the moon",
                     *         "keyword": "tides",
                     *         "tags": [
                     *           "sea"
                     *         ],
                     *         "category": "science",
                     *         "source": "manual",
                     *         "target_length": 1500,
                     *         "style": "technical",
                     *         "tone": "professional"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Topic"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectTopic: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id, or 8 or more of its first characters.
                 * @example text
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": null
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Why, for the history.
                     * @example null
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "task_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "topic": "How tides follow the moon",
                     *       "primary_keyword": "tides",
                     *       "tags": [
                     *         "sea"
                     *       ],
                     *       "category": "science",
                     *       "source": "manual",
                     *       "target_length": 1500,
                     *       "style": "technical",
                     *       "tone": "professional",
                     *       "status": "awaiting_gate",
                     *       "awaiting_gate": "topic_decision",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "near_duplicate": null,
                     *       "artifact": {
                     *         "topic": "How tides follow the moon",
                     *         "keyword": "tides",
                     *         "tags": [
                     *           "sea"
                     *         ],
                     *         "category": "science",
                     *         "source": "manual",
                     *         "target_length": 1500,
                     *         "style": "technical",
                     *         "tone": "professional"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Topic"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same in hex alone, as Grafana sends it. */
                "X-Grafana-Alerting-Signature"?: string;
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
                /** @description `sha256=` and the HMAC-SHA256 of the raw body in hex. */
                "X-Signature-256"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveMailEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the delivery (Standard Webhooks; `svix-id` counts as well). */
                "webhook-id"?: string;
                /** @description `v1,` and the signature in base64 (`svix-signature`). */
                "webhook-signature"?: string;
                /** @description Seconds since 1970, at most 300 s off (`svix-timestamp`). */
                "webhook-timestamp"?: string;
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receivePayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
                /** @description HMAC-SHA256 of the raw body in hex. */
                "X-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveSendgridEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
                /** @description ECDSA signature in base64 of the timestamp and the raw body. */
                "X-Twilio-Email-Event-Webhook-Signature"?: string;
                /** @description The timestamp that is signed. */
                "X-Twilio-Email-Event-Webhook-Timestamp"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description `t=` seconds and `v1=` HMAC-SHA256 of `<t>.<raw body>` in hex, at most 300 s off. */
                "Stripe-Signature"?: string;
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "example"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "duplicate": false,
                     *       "id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        accepted: true;
                        /** @example false */
                        duplicate: boolean;
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAtomFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/atom+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCategoryAtomFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/atom+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCategoryJsonFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "text",
                     *       "title": "text",
                     *       "feed_url": "text",
                     *       "items": [
                     *         {
                     *           "id": "text",
                     *           "title": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": {
                        feed_url: string;
                        items: ({
                            id: string;
                            title: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        title: string;
                        version: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCategoryFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/rss+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEpisodes: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page; excludes offset */
                cursor?: string;
                /** @example 20 */
                limit?: number;
                /** @example 0 */
                offset?: number;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *           "slug": "how-tides-follow-the-moon",
                     *           "title": "How tides follow the moon",
                     *           "excerpt": "Twice a day the sea rises.",
                     *           "published_at": "2026-11-21T10:00:00.000Z",
                     *           "podcast_url": "https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp3",
                     *           "video_url": "https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp4"
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 20,
                     *       "offset": 0,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Episode"][];
                        /** @example 20 */
                        limit: number;
                        /**
                         * @description Null at the end.
                         * @example null
                         */
                        next_cursor: string | null;
                        /** @example 0 */
                        offset: number;
                        /**
                         * @description Of all pages.
                         * @example 42
                         */
                        total: number;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeChapters: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json+chapters": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json+chapters": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeTranscript: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeAudio: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeVideo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeShortVideo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeSubRip: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEpisodeWebVtt: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJsonFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "text",
                     *       "title": "text",
                     *       "feed_url": "text",
                     *       "items": [
                     *         {
                     *           "id": "text",
                     *           "title": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": {
                        feed_url: string;
                        items: ({
                            id: string;
                            title: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        title: string;
                        version: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/rss+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    generateMedia: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description UUID of the post, or 8 or more of its first characters.
                 * @example text
                 */
                post_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "media": [
                 *         "podcast"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description What to make; absent: what the post should have, or else a podcast. With a film comes the podcast. */
                    media?: ("podcast" | "video" | "video_short" | "image")[];
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "post_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d",
                     *       "media": [
                     *         "podcast"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                         */
                        job_id: string;
                        media: string[];
                        /**
                         * Format: uuid
                         * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                         */
                        post_id: string;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /**
             * @description The present state does not allow it.
             *
             *     - `CONFLICT`: The thing's state does not allow the change; read it again.
             *     - `AMBIGUOUS_ID`: A prefix stands for several ids; give more of it.
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFLICT" | "AMBIGUOUS_ID" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryGraphqlByUrl: {
        parameters: {
            query?: {
                /** @description A JSON object. */
                extensions?: string;
                operationName?: string;
                /** @description The document. */
                query?: string;
                /** @description A JSON object. */
                variables?: string;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. A failed field is null, with its cause in errors. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": {
                        data?: unknown;
                        errors?: components["schemas"]["GraphqlError"][];
                    };
                    /**
                     * @example {
                     *       "data": {},
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data?: unknown;
                        errors?: components["schemas"]["GraphqlError"][];
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description GraphQL refuses the document, its variables or its cost.
             *
             *     The request is not valid.
             *
             *     - `VALIDATION_ERROR`: A body, parameter or header is not as described; correct the fields that `errors` names.
             */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "VALIDATION_ERROR";
                    });
                };
            };
            /**
             * @description The query asks for a field that needs a token.
             *
             *     No valid token or signature.
             *
             *     - `UNAUTHORIZED`: No token, or one that is expired, revoked or not ours. Also a wrong signature or preview token.
             */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "UNAUTHORIZED";
                    });
                };
            };
            /**
             * @description The query asks for a field of another scope.
             *
             *     The token lacks the scope.
             *
             *     - `INSUFFICIENT_SCOPE`: The token lacks the scope that `WWW-Authenticate` names.
             */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "INSUFFICIENT_SCOPE";
                    });
                };
            };
            /**
             * @description The hash of the document is not known here.
             *
             *     Not found.
             *
             *     - `NOT_FOUND`: There is no such thing, or it is not public.
             */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "NOT_FOUND";
                    });
                };
            };
            /**
             * @description The document is not a query, and a GET only reads.
             *
             *     The path takes other methods.
             *
             *     - `METHOD_NOT_ALLOWED`: The path takes the methods that `Allow` names.
             */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "METHOD_NOT_ALLOWED";
                    });
                };
            };
            /**
             * @description The query asks for more searches than an anonymous client has left in this minute.
             *
             *     Too many requests.
             *
             *     - `RATE_LIMITED`: Too many requests; wait for `Retry-After` seconds.
             */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "RATE_LIMITED";
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    queryGraphql: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "text",
                 *       "operationName": "text",
                 *       "variables": {},
                 *       "extensions": {}
                 *     }
                 */
                "application/json": {
                    extensions?: Record<string, never> | null;
                    operationName?: string | null;
                    /** @description The document. May be absent when its hash is known. */
                    query?: string;
                    variables?: Record<string, never> | null;
                };
            };
        };
        responses: {
            /** @description The result. A failed field is null, with its cause in errors. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {},
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": {
                        data?: unknown;
                        errors?: components["schemas"]["GraphqlError"][];
                    };
                    /**
                     * @example {
                     *       "data": {},
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data?: unknown;
                        errors?: components["schemas"]["GraphqlError"][];
                    };
                };
            };
            /**
             * @description GraphQL refuses the document, its variables or its cost.
             *
             *     The request is not valid.
             *
             *     - `VALIDATION_ERROR`: A body, parameter or header is not as described; correct the fields that `errors` names.
             */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "VALIDATION_ERROR";
                    });
                };
            };
            /**
             * @description The query asks for a field that needs a token.
             *
             *     No valid token or signature.
             *
             *     - `UNAUTHORIZED`: No token, or one that is expired, revoked or not ours. Also a wrong signature or preview token.
             */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "UNAUTHORIZED";
                    });
                };
            };
            /**
             * @description The query asks for a field of another scope.
             *
             *     The token lacks the scope.
             *
             *     - `INSUFFICIENT_SCOPE`: The token lacks the scope that `WWW-Authenticate` names.
             */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "INSUFFICIENT_SCOPE";
                    });
                };
            };
            /**
             * @description The hash of the document is not known here.
             *
             *     Not found.
             *
             *     - `NOT_FOUND`: There is no such thing, or it is not public.
             */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "NOT_FOUND";
                    });
                };
            };
            /**
             * @description The document is not a query, and a GET only reads.
             *
             *     The path takes other methods.
             *
             *     - `METHOD_NOT_ALLOWED`: The path takes the methods that `Allow` names.
             */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "METHOD_NOT_ALLOWED";
                    });
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description The query asks for more searches than an anonymous client has left in this minute.
             *
             *     Too many requests.
             *
             *     - `RATE_LIMITED`: Too many requests; wait for `Retry-After` seconds.
             */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "message": "Cannot query field \"titel\" on type \"Post\".",
                     *           "locations": [
                     *             {
                     *               "line": 1,
                     *               "column": 1
                     *             }
                     *           ],
                     *           "path": [
                     *             "text"
                     *           ],
                     *           "extensions": {
                     *             "code": "VALIDATION_ERROR",
                     *             "errors": {},
                     *             "request_id": "3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/graphql-response+json": components["schemas"]["GraphqlRefusal"];
                    "application/json": components["schemas"]["GraphqlRefusal"] | (components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "RATE_LIMITED";
                    });
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "service": "galley",
                     *       "version": "0.1.0",
                     *       "timestamp": "2026-11-21T10:00:00.000Z",
                     *       "components": {
                     *         "database": "healthy",
                     *         "connection_pool": {
                     *           "size": 10,
                     *           "idle": 9
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            /** @description A part of the service does not answer. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "service": "galley",
                     *       "version": "0.1.0",
                     *       "timestamp": "2026-11-21T10:00:00.000Z",
                     *       "components": {
                     *         "database": "healthy",
                     *         "connection_pool": {
                     *           "size": 10,
                     *           "idle": 9
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only for the version with this ETag; another is refused with 412.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Answer 304 when the file is no newer. If-None-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Modified-Since"?: components["parameters"]["IfModifiedSince"];
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Heed Range only while the file has this ETag or this Last-Modified.
                 * @example "1a2b-3c4d-5e6f"
                 */
                "If-Range"?: components["parameters"]["IfRange"];
                /**
                 * @description Answer 412 when the file is newer. If-Match counts first.
                 * @example Sat, 21 Nov 2026 10:00:00 GMT
                 */
                "If-Unmodified-Since"?: components["parameters"]["IfUnmodifiedSince"];
                /**
                 * @description The bytes wanted (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": Blob;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Range": components["headers"]["Content-Range"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": Blob;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example db_pool_size 2 */
                    "text/plain": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPodcast: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/rss+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewPostPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                preview_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    /** @description `noindex, nofollow`: no search engine lists it. */
                    "X-Robots-Tag"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revalidateEverything: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key and body get the first answer again.
                 * @example task-tides-2026-11-21
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revalidated": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Whether everybody who is set up has answered with a success. Otherwise it is tried again in the background, or nobody is set up.
                         * @example true
                         */
                        revalidated: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /**
             * @description The present state does not allow it.
             *
             *     - `IDEMPOTENCY_KEY_REUSED`: The key was used with another request; make a new key.
             *     - `IDEMPOTENCY_KEY_IN_USE`: The first request with this key is still being answered, or was cut off; repeat it after `Retry-After`.
             *     - `IDEMPOTENCY_ANSWER_LOST`: The request was carried out, but the process ended before its answer was stored; read what it made.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_ANSWER_LOST";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "text",
                 *       "token_type_hint": "access_token",
                 *       "client_id": "gly_0123456789abcdef0123456789abcdef",
                 *       "client_secret": "text"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @example gly_0123456789abcdef0123456789abcdef */
                    client_id?: string;
                    client_secret?: string;
                    token: string;
                    /** @example access_token */
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            /** @description The request is not valid. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description No valid token or signature. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribePage: {
        parameters: {
            query?: {
                /**
                 * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                 * @example de
                 */
                language?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "captcha": "text",
                 *       "language": "de"
                 *     }
                 */
                "application/json": components["schemas"]["SubscribeRequest"];
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "captcha": "text",
                 *       "language": "de"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["SubscribeRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "If this address is not subscribed yet, a mail is on its way to it."
                     *     }
                     */
                    "application/json": components["schemas"]["SubscribeReply"];
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscribeChallenge: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "parameters": {
                     *         "algorithm": "PBKDF2/SHA-256",
                     *         "nonce": "5f2b6a0c",
                     *         "salt": "9d41c7e2",
                     *         "cost": 1000,
                     *         "keyLength": 32,
                     *         "keyPrefix": "0b7c",
                     *         "keySignature": "a3f0",
                     *         "expiresAt": 1795430400,
                     *         "data": {
                     *           "tries": 1000
                     *         }
                     *       },
                     *       "signature": "c1d9"
                     *     }
                     */
                    "application/json": components["schemas"]["CaptchaChallenge"];
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSubscriptionPage: {
        parameters: {
            query?: {
                /**
                 * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                 * @example de
                 */
                language?: string;
                /** @description Of the link in a mail. */
                token?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "text",
                 *       "language": "de"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                     * @example de
                     */
                    language?: string;
                    /** @description Of the link in the mail. */
                    token: string;
                };
                /**
                 * @example {
                 *       "token": "text",
                 *       "language": "de"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /**
                     * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                     * @example de
                     */
                    language?: string;
                    /** @description Of the link in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "confirmed": true
                     *     }
                     */
                    "application/json": components["schemas"]["ConfirmReply"];
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            /**
             * @description It is no longer valid.
             *
             *     It is no longer valid.
             *
             *     - `CONFIRMATION_EXPIRED`: The token of a sign-up is unknown, was used, or is older than 48 hours; sign up again.
             */
            410: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"] & {
                        /** @enum {unknown} */
                        error_code: "CONFIRMATION_EXPIRED";
                    };
                    /** @example text */
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscribeScript: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/javascript; charset=utf-8": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countSubscribers: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 42
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberCount"];
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTagAtomFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/atom+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTagJsonFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "text",
                     *       "title": "text",
                     *       "feed_url": "text",
                     *       "items": [
                     *         {
                     *           "id": "text",
                     *           "title": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": {
                        feed_url: string;
                        items: ({
                            id: string;
                            title: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        title: string;
                        version: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTagFeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Answer 304 when the reader has the version with this ETag.
                 * @example "5wq0mJ5u1t8ZkVbT2oXh7yQm3Pk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @example text */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Cache-Tag": components["headers"]["Cache-Tag"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The WebSub hub (`rel="hub"`) and the feed itself (`rel="self"`), while there is a hub. */
                    Link?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Surrogate-Key": components["headers"]["Surrogate-Key"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    xkey: components["headers"]["xkey"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/rss+xml": string;
                };
            };
            /** @description The reader has this version. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    token: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "gly_0123456789abcdef0123456789abcdef",
                 *       "client_secret": "text",
                 *       "scope": "api:read"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @example gly_0123456789abcdef0123456789abcdef */
                    client_id?: string;
                    client_secret?: string;
                    /**
                     * @description client_credentials
                     * @example client_credentials
                     */
                    grant_type: string;
                    /**
                     * @description Narrows the client’s scope.
                     * @example api:read
                     */
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "scope": "api:read api:write"
                     *     }
                     */
                    "application/json": {
                        /** @example eyJhbGciOiJIUzI1NiJ9.e30.c2ln */
                        access_token: string;
                        /**
                         * @description Seconds.
                         * @example 900
                         */
                        expires_in: number;
                        /** @example api:read api:write */
                        scope: string;
                        /** @enum {string} */
                        token_type: "Bearer";
                    };
                };
            };
            /** @description The request is not valid. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description No valid token or signature. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "grant_type is required: send client_credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unsubscribePage: {
        parameters: {
            query?: {
                /**
                 * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                 * @example de
                 */
                language?: string;
                /** @description Of the link in a mail. */
                token?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: {
                /**
                 * @description BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.
                 * @example de
                 */
                language?: string;
                /** @description Of the link in a mail. */
                token?: string;
            };
            header?: {
                /**
                 * @description A UUID that the answer and the log repeat.
                 * @example 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d
                 */
                "X-Request-ID"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "text",
                 *       "List-Unsubscribe": "One-Click",
                 *       "language": "de"
                 *     }
                 */
                "application/json": components["schemas"]["UnsubscribeRequest"];
                /**
                 * @example {
                 *       "token": "text",
                 *       "List-Unsubscribe": "One-Click",
                 *       "language": "de"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["UnsubscribeRequest"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Frame-Options": components["headers"]["X-Frame-Options"];
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "unsubscribed": true
                     *     }
                     */
                    "application/json": components["schemas"]["UnsubscribeReply"];
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["ValidationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
