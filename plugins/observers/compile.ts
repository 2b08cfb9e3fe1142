import { type AuthoredObserver, defineCompilePart } from '../../core/doors/command.ts'
import { changes, expressions, toWireName } from '../../core/doors/front.ts'
import { didYouMean, listNames } from '../../core/doors/plugin.ts'
import { bindAction } from './actions/bind-action.ts'
import {
  ACTIONS,
  type DeclaredAction,
  type DeclaredObserver,
  keyProblems,
  type ObserversBlock,
  RETRY_KEYS,
} from './actions/declared.ts'
import { DEFAULT_RETRY } from './deliver/retry-policy.ts'
import type { ObserverOptions } from './options.ts'

const CHANGES = ['INSERT', 'UPDATE', 'DELETE']

/**
 * Compile part of the observers plugin: checks the conditions, actions and templates of observers, and writes them into
 * the compiled schema.
 */
export default defineCompilePart<ObserverOptions>({
  compile({ schema, options, fault }) {
    const types = new Map((schema.types ?? []).map((type) => [type.name, type]))
    const observers = (schema.observers ?? []).map((observer): DeclaredObserver => {
      const { name, entity, event, condition, actions, sync = false } = observer
      const say = (id: string, what: string) => fault(id, `Observer "${name}": ${what}`, observer)
      const retry = { ...DEFAULT_RETRY, ...observer.retry }
      for (const problem of keyProblems(observer.retry ?? {}, RETRY_KEYS, unknownKey(RETRY_KEYS)))
        say('retry', `retry: ${problem}.`)
      if (retry.max_delay_ms < retry.initial_delay_ms && observer.retry?.max_delay_ms !== undefined) {
        say('retry', 'retry: max_delay_ms is less than initial_delay_ms.')
      }
      const type = types.get(entity)
      // An invalid type was reported before.
      if (type !== undefined) checkObserver(observer, changes.shapeOfAuthored(type), options, say)
      return {
        name,
        entity,
        event: CHANGES.includes(event) ? event : toWireName(event),
        ...(condition === undefined ? {} : { condition }),
        actions: actions as unknown as readonly DeclaredAction[],
        retry,
        sync,
      }
    })
    return observers.length === 0 ? undefined : { block: { observers } satisfies ObserversBlock }
  },
})

function checkObserver(
  { condition, actions }: AuthoredObserver,
  shape: changes.EntityShape,
  options: ObserverOptions,
  say: (id: string, what: string) => void,
): void {
  if (condition !== undefined) {
    try {
      changes.compileCondition(condition, shape)
    } catch (error) {
      if (!(error instanceof expressions.ExpressionFault)) throw error
      say('condition', `condition, ${error.message}.`)
    }
  }
  for (const [index, action] of actions.entries()) {
    const place = `action ${index + 1}`
    const kind = String(action.type)
    const rules = Object.hasOwn(ACTIONS, kind) ? ACTIONS[kind as DeclaredAction['type']] : undefined
    if (rules === undefined) {
      say(
        'action',
        `${place}: there is no action "${kind}".${didYouMean(kind, Object.keys(ACTIONS))} Actions: ${listNames(Object.keys(ACTIONS))}.`,
      )
      continue
    }
    const problems = keyProblems(action, rules, unknownKey(rules))
    for (const problem of problems) say('action', `${place} (${kind}): ${problem}.`)
    if (problems.length > 0) continue
    try {
      // Variables of the service may be absent where the schema is compiled, so that placeholders are used.
      const env = (name: string) => (/URL/.test(name) ? 'https://example.com/' : name)
      const chatUrl = options.chat_url ?? 'https://example.com/'
      bindAction(action as unknown as DeclaredAction, { shape, env, sender: null, signingSecret: null, chatUrl })
    } catch (error) {
      say('action', `${place} (${kind}): ${(error as Error).message}.`)
    }
  }
}

function unknownKey(rules: object): (key: string) => string {
  return (key) =>
    `there is no "${key}"${didYouMean(key, Object.keys(rules)) || `; keys: ${listNames(Object.keys(rules))}`}`
}
