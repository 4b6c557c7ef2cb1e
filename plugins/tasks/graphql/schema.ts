import { taskStatuses } from '../states.ts'

/** Tasks in GraphQL: the fields of the REST API's tasks in camelCase. */
export const schema = `
enum TaskStatus { ${taskStatuses.join(' ')} }
type QaRail {
  name: String!
  required: Boolean!
  passed: Boolean!
  score: Float!
  note: String!
}
type Qa {
  score: Float
  passed: Boolean!
  rails: [QaRail!]!
}
"A content task."
type Task {
  taskId: ID!
  topic: String!
  category: String
  tags: [String!]!
  primaryKeyword: String
  "Words."
  targetLength: Int!
  style: String!
  tone: String!
  targetAudience: String
  nicheSlug: String
  status: TaskStatus!
  "Name of the gate that holds the task."
  awaitingGate: String
  "Pipeline stage that runs or ran last: research, draft or qa."
  stage: String
  progress: Int!
  "1 at first, one more for each re-run and retry."
  attempt: Int!
  feedback: String
  reason: String
  qa: Qa
  title: String
  excerpt: String
  "Markdown."
  content: String @cost(weight: 10)
  postId: ID
  postSlug: String
  publishedUrl: String
  "Read-only, valid 24 hours."
  previewUrl: String
  publishAt: DateTime
  error: String
  metadata: JSON!
  createdAt: DateTime!
  updatedAt: DateTime!
  startedAt: DateTime
  completedAt: DateTime
}
type TaskEdge {
  node: Task!
  cursor: String!
}
type TaskConnection {
  edges: [TaskEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}
"A row of a task's history."
type PipelineEvent {
  id: ID!
  at: DateTime!
  taskId: ID!
  type: String!
  from: String
  to: String
  actor: String!
  detail: JSON!
}
type PipelineEventEdge {
  node: PipelineEvent!
  cursor: String!
}
type PipelineEventConnection {
  edges: [PipelineEventEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}
extend type Query {
  "Tasks, newest first."
  tasks(first: Int! = 20, after: String, status: TaskStatus): TaskConnection! @bearer(scope: "api:read") @cost(weight: 10)
  "One task by its id, or 8 or more of its first characters; null when there is none."
  task(taskId: ID!): Task @bearer(scope: "api:read") @cost(weight: 10)
  "Task transitions, newest first; one task's history, oldest first."
  pipelineEvents(first: Int! = 20, after: String, taskId: ID): PipelineEventConnection!
    @bearer(scope: "api:read")
    @cost(weight: 10)
}`

/** What tasks and their posts cost, where that is counted. */
export const costSchema = `
extend type Task {
  "What models were paid for it, by attempts and their parts."
  cost: TaskCost! @cost(weight: 20)
}
extend type Post {
  "What models, voices and image models were paid for it, its task included."
  cost: CostTotal! @bearer(scope: "api:read") @cost(weight: 10)
}`
