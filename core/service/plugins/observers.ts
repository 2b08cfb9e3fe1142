import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { HookChain } from '../../contract/kernel.ts'
import type { Observer, OwnedObserver } from '../../contract/observer.ts'
import { OBSERVED } from '../lifecycle/observe.ts'

const PARTS: readonly string[] = [...OBSERVED, 'logFields', 'statementComment']

/**
 * Returns the parts of the request processing that plugins observe, each with its plugins, the outermost first, for
 * `svc plugins --hooks`.
 */
export function describeObservers(observers: readonly OwnedObserver[]): readonly HookChain[] {
  return OBSERVED.flatMap((part) => {
    const plugins = observers.filter(({ observer }) => observer[part] !== undefined).map(({ plugin }) => plugin)
    if (plugins.length === 0) return []
    return [{ stage: part, kind: 'observe' as const, owner: null, plugins, positions: plugins.map(() => null) }]
  })
}

/**
 * Checks what a plugin passes to `scope.observe`, and returns a frozen copy.
 * @throws SvcError SVC_HOOK_INVALID: a member has an unknown name or is no function
 */
export function checkObserver(plugin: string, observer: unknown): Observer {
  const invalid = (what: string) => new SvcError('SVC_HOOK_INVALID', `Plugin "${plugin}" observes ${what}.`)
  if (typeof observer !== 'object' || observer === null) throw invalid(`with a value that is none (${typeof observer})`)
  for (const [part, handler] of Object.entries(observer)) {
    if (!PARTS.includes(part)) {
      throw invalid(`the unknown part "${part}".${didYouMean(part, PARTS)} Parts: ${listNames(PARTS)}`)
    }
    if (typeof handler !== 'function') throw invalid(`"${part}" with a value that is no function (${typeof handler})`)
  }
  return Object.freeze({ ...observer }) as Observer
}
