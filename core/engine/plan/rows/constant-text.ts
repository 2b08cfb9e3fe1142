import type { ReadPlan } from '../../../contract/plan/read-plan.ts'

/** Returns the JSON text of a plan that needs no database; `null` when the plan needs it. */
export function constantText({ roots, alone }: ReadPlan): string | null {
  const texts: string[] = []
  for (const { key, value } of roots) {
    if (value.kind !== 'constant') return null
    texts.push(alone ? value.json : `${JSON.stringify(key)}:${value.json}`)
  }
  return alone ? texts.join() : `{${texts.join()}}`
}
