import { type Location, queriesGiving } from '../../core/doors/front.ts'
import {
  type AccessControl,
  type Auth,
  type Exchange,
  isPromise,
  type OperationModel,
  type OperationTemplate,
  reachOf,
  type SchemaModel,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { Bindings, FieldBinding, OperationBinding } from './bindings.ts'
import type { Decide } from './decide.ts'
import type { Verdict } from './evaluate-rule.ts'
import { policyUserOf } from './policy-user.ts'

/** Bindings of a document that must be evaluated. */
interface Questions {
  readonly operations: readonly {
    readonly binding: OperationBinding
    readonly path: string
    readonly location: Location | null
  }[]
  readonly fields: readonly FieldBinding[]
  /** Bindings of relay types, if the document selects `node`. */
  readonly nodes: Bindings['nodes']
}

export type Guards = (exchange: Exchange, template: OperationTemplate, access: AccessControl) => void | Promise<void>

/**
 * Creates the function that checks the policies of an operation: it denies operations and fields, and filters rows.
 * @param decideOf returns the evaluation of a policy; the same one for the same policy and type
 */
export function createGuards(
  bindings: Bindings,
  schema: SchemaModel,
  decideOf: (binding: FieldBinding | OperationBinding) => Decide,
): Guards {
  const known = new WeakMap<OperationTemplate, Questions | null>()

  function questionsOf(template: OperationTemplate): Questions | null {
    let questions = known.get(template)
    if (questions === undefined) {
      const reach = reachOf(template)
      const operations = template.roots.flatMap((root) => {
        const binding = 'operation' in root ? bindings.operations.get(root.operation as OperationModel) : undefined
        const location = 'location' in root ? root.location : null
        return binding === undefined ? [] : [{ binding, path: root.responseKey, location }]
      })
      const fields = bindings.fields.filter(({ target }) => reach.has(target))
      const rows = template.roots.flatMap((root) => rowsQuestions(bindings, schema, root))
      const all = [...operations, ...rows]
      const nodes = template.roots.some(({ kind }) => kind === 'node') ? bindings.nodes : []
      const isNothing = all.length + fields.length + nodes.length === 0
      questions = isNothing ? null : { operations: all, fields, nodes }
      known.set(template, questions)
    }
    return questions
  }

  return (exchange, template, access) => {
    const questions = questionsOf(template)
    if (questions === null) return
    const user = policyUserOf(exchange.auth)
    const waiting: Promise<void>[] = []
    const ask = (binding: FieldBinding | OperationBinding, take: (verdict: Verdict) => void): void => {
      const verdict = decideOf(binding)(user, exchange)
      if (isPromise(verdict)) waiting.push(verdict.then(take))
      else take(verdict)
    }
    try {
      for (const { binding, path, location } of questions.operations) {
        ask(binding, (verdict) => {
          if (verdict === true) return
          if (verdict !== false && binding.type !== null) access.where(binding.type, verdict)
          else
            throw refusal(exchange.auth, binding.policy.name, {
              path: [path],
              locations: location === null ? undefined : [location],
            })
        })
      }
      for (const { target, binding } of questions.nodes) {
        ask(binding, (verdict) => {
          if (verdict === true) return
          if (verdict !== false && binding.type !== null) access.where(binding.type, verdict)
          else access.deny(target, refusal(exchange.auth, binding.policy.name))
        })
      }
      for (const binding of questions.fields) {
        ask(binding, (verdict) => {
          if (verdict === true) return
          const error = refusal(exchange.auth, binding.policy.name)
          if (verdict === false) access.deny(binding.target, error, { onDeny: binding.onDeny })
          else access.deny(binding.target, error, { unless: verdict })
        })
      }
    } catch (error) {
      // The other evaluations can still reject. An unhandled rejection would end the process.
      for (const one of waiting) one.catch(() => {})
      throw error
    }
    if (waiting.length > 0) return Promise.all(waiting).then(() => {})
  }
}

function rowsQuestions(
  bindings: Bindings,
  schema: SchemaModel,
  root: OperationTemplate['roots'][number],
): Questions['operations'] {
  if (root.kind !== 'rows') return []
  const models = root.query === undefined ? queriesGiving(schema, root.type) : [root.query]
  return models.flatMap((model) => {
    const binding = bindings.operations.get(model)
    return binding === undefined ? [] : [{ binding, path: root.responseKey, location: root.location }]
  })
}

function refusal(auth: Auth | null, policy: string, options: ConstructorParameters<typeof SvcError>[2] = {}): SvcError {
  return auth === null
    ? new SvcError('UNAUTHENTICATED', `Authentication required: policy ${policy}`, options)
    : new SvcError('FORBIDDEN', `Forbidden: policy ${policy}`, options)
}
