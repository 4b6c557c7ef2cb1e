import { type GraphqlModule, isUuid } from '#core'
import { type ConnectionArguments, connectionOf, pageQueryOf } from '#lists'
import type { CostComponents } from './components.ts'
import { callPage } from './routes.ts'

const schema = `
"What models cost this month. Without a budget what compares with it is null."
type CostBudget {
  monthlyBudget: Float
  amountSpent: Float!
  amountRemaining: Float
  percentUsed: Float
  projectedFinalCost: Float!
  daysRemaining: Int!
  status: String!
}
type CostPart { part: String! amount: Float! calls: Int! }
type AttemptCost { attempt: Int! amount: Float! parts: [CostPart!]! }
"What one more attempt costs, about; the amount is null while nothing is known."
type CostEstimate { amount: Float currency: String! basedOn: Int! }
type TaskCost {
  amount: Float!
  currency: String!
  calls: Int!
  attempts: [AttemptCost!]!
  nextRun: CostEstimate!
}
type CostTotal { amount: Float! currency: String! calls: Int! }
"A paid request."
type CostCall {
  callId: ID!
  at: DateTime!
  status: String!
  kind: String!
  model: String!
  taskId: ID
  attempt: Int
  part: String
  postId: ID
  nicheSlug: String
  amount: Float!
  reserved: Float!
  basis: String!
  isPriced: Boolean!
  usage: JSON
  settledAt: DateTime
}
type CostCallEdge { node: CostCall! cursor: String! }
type CostCallConnection { edges: [CostCallEdge!]! pageInfo: PageInfo! totalCount: Int! }
extend type Query {
  costBudget: CostBudget! @bearer(scope: "api:read") @cost(weight: 10)
  taskCost(taskId: ID!): TaskCost! @bearer(scope: "api:read") @cost(weight: 20)
  postCost(postId: ID!): CostTotal! @bearer(scope: "api:read") @cost(weight: 10)
  "Paid requests, newest first."
  costs(taskId: ID, postId: ID, model: String, first: Int! = 20, after: String): CostCallConnection! @bearer(scope: "api:read") @cost(weight: 10)
}`

type CostArguments = ConnectionArguments & { taskId?: string | null; postId?: string | null; model?: string | null }

/** What the REST routes answer. */
export const costsGraphql = ({
  db,
  paidCalls,
  budget
}: Pick<CostComponents, 'db' | 'paidCalls' | 'budget'>): GraphqlModule => ({
  schema,
  resolvers: {
    Query: {
      costBudget: () => budget(),
      taskCost: (_: undefined, { taskId }: { taskId: string }) => paidCalls.ofTask(db, taskId),
      postCost: (_: undefined, { postId }: { postId: string }) => paidCalls.total(db, { post_id: postId }),
      costs: async (_: undefined, { taskId, postId, model, ...args }: CostArguments) => {
        const filter = { task_id: taskId, post_id: postId, model }
        const page = callPage(pageQueryOf(args), filter)
        return connectionOf(await paidCalls.list(filter, page), page, ({ at, call_id }) => [at, call_id])
      }
    }
  },
  checks: { Query: { taskCost: idFaults, postCost: idFaults, costs: idFaults } }
})

const idFaults = (ids: { taskId?: string | null; postId?: string | null }): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ taskId: ids.taskId, postId: ids.postId })
      .filter(([, id]) => id != null && !isUuid(id))
      .map(([name]) => [name, 'must be a UUID'])
  )
