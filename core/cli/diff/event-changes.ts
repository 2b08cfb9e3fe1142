import type { CompiledSchema } from '../../schema/compiled.ts'
import { type Change, collectChanges, type Report, show } from './change.ts'
import { compareEntities, operationsOf } from './entity-changes.ts'

type Subscription = CompiledSchema['subscriptions'][number]
type Observer = CompiledSchema['observers'][number]

/** Compares two versions of a schema for clients of events: subscribers, webhooks and other readers of changes. */
export function compareEvents(before: CompiledSchema, after: CompiledSchema): readonly Change[] {
  return collectChanges('events', (report) => {
    pair(before.subscriptions, after.subscriptions, 'subscription', report, compareSubscriptions)
    pair(before.observers, after.observers, 'observer', report, compareObservers)
    compareEntities(before, after, report)
  })
}

function pair<T extends { readonly name: string; readonly wire_name?: string }>(
  before: readonly T[],
  after: readonly T[],
  kind: 'subscription' | 'observer',
  report: Report,
  compare: (before: T, after: T, place: string, report: Report) => void,
): void {
  const nameOf = (one: T): string => one.wire_name ?? one.name
  const rule = kind.toUpperCase()
  for (const one of before) {
    const known = after.find((other) => nameOf(other) === nameOf(one))
    const place = `${kind} ${nameOf(one)}`
    if (known === undefined) report('breaking', `${rule}_REMOVED`, place, `The ${kind} ${nameOf(one)} was removed.`)
    else compare(one, known, place, report)
  }
  for (const one of after)
    if (!before.some((other) => nameOf(other) === nameOf(one)))
      report('safe', `${rule}_ADDED`, `${kind} ${nameOf(one)}`, `The ${kind} ${nameOf(one)} was added.`)
}

function compareSubscriptions(before: Subscription, after: Subscription, place: string, report: Report): void {
  const changed = (key: keyof Subscription, level: 'breaking' | 'dangerous', rule: string, why: string): void => {
    if (show(before[key]) === show(after[key])) return
    report(level, rule, place, `${key} changed from ${show(before[key])} to ${show(after[key])}: ${why}.`)
  }
  changed('type', 'breaking', 'SUBSCRIPTION_TYPE_CHANGED', 'events have another type')
  changed('entity_type', 'breaking', 'SUBSCRIPTION_ENTITY_CHANGED', 'changes of other rows are sent')
  changed('topic', 'breaking', 'TOPIC_CHANGED', 'programs that publish to the old topic reach no subscriber')
  changed('filter', 'dangerous', 'SUBSCRIPTION_FILTER_CHANGED', 'other events are sent')
  compareOperations(operationsOf(before.operation), operationsOf(after.operation), place, report)
  for (const key of ['durable', 'replay'] as const) {
    if ((before[key] === true) === (after[key] === true)) continue
    if (after[key] === true) report('safe', 'GUARANTEE_ADDED', place, `It is ${key} now.`)
    else report('breaking', 'GUARANTEE_REMOVED', place, `It is no longer ${key}: subscribers can miss events.`)
  }
}

/** Compares the operations whose events are sent. */
function compareOperations(before: readonly string[], after: readonly string[], place: string, report: Report): void {
  for (const lost of before.filter((one) => !after.includes(one)))
    report('breaking', 'OPERATION_REMOVED', place, `${lost} is not sent any more.`)
  for (const gained of after.filter((one) => !before.includes(one)))
    report('dangerous', 'OPERATION_ADDED', place, `${gained} is sent now.`)
}

function compareObservers(before: Observer, after: Observer, place: string, report: Report): void {
  for (const key of ['entity', 'event'] as const)
    if (before[key] !== after[key])
      report('breaking', 'OBSERVER_EVENT_CHANGED', place, `${key} changed from ${before[key]} to ${after[key]}.`)
  if (before.condition !== after.condition) {
    const message = `condition changed from ${show(before.condition)} to ${show(after.condition)}: other events are sent.`
    report('dangerous', 'OBSERVER_CONDITION_CHANGED', place, message)
  }
  compareActions(before.actions, after.actions, place, report)
  if (show(before.retry) !== show(after.retry))
    report('safe', 'OBSERVER_RETRY_CHANGED', place, `retry changed from ${show(before.retry)} to ${show(after.retry)}.`)
  if ((before.sync === true) !== (after.sync === true)) {
    const message =
      after.sync === true ? 'Mutations wait for the delivery now.' : 'Mutations do not wait for the delivery any more.'
    report('dangerous', 'OBSERVER_SYNC_CHANGED', place, message)
  }
}

type Actions = Observer['actions']

/** Actions have no names. Equal ones are paired, then those that differ, in their order. */
function compareActions(before: Actions, after: Actions, place: string, report: Report): void {
  const isIn = (all: Actions, one: Actions[number]): boolean => all.some((other) => keyOf(other) === keyOf(one))
  const lost = before.filter((one) => !isIn(after, one))
  const gained = after.filter((one) => !isIn(before, one))
  for (const [index, one] of lost.entries()) {
    const other = gained[index]
    if (other === undefined || other.type !== one.type) {
      report('breaking', 'ACTION_REMOVED', place, `The action ${describe(one)} was removed.`)
      if (other !== undefined) report('safe', 'ACTION_ADDED', place, `The action ${describe(other)} was added.`)
      continue
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      if (keyOf(one[key]) !== keyOf(other[key])) reportKey(key, one, other, place, report)
  }
  for (const one of gained.slice(lost.length))
    report('safe', 'ACTION_ADDED', place, `The action ${describe(one)} was added.`)
}

/** Keys that decide the receiver. The others decide the content of the message. */
const TARGETS = ['url', 'url_env', 'method', 'to', 'channel', 'secret_env']

function reportKey(key: string, before: Actions[number], after: Actions[number], place: string, report: Report): void {
  const isTarget = TARGETS.includes(key)
  const [level, rule] = isTarget
    ? (['breaking', 'ACTION_TARGET_CHANGED'] as const)
    : (['dangerous', 'ACTION_CONTENT_CHANGED'] as const)
  report(
    level,
    rule,
    place,
    `${key} of ${String(before.type)} changed from ${show(before[key])} to ${show(after[key])}.`,
  )
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function describe({ type, url, url_env: variable, to, channel }: Actions[number]): string {
  return [type, url ?? variable ?? to ?? channel].filter((one) => one !== undefined).join(' ')
}
