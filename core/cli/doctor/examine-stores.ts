import { redactText } from '../../base/util/redact-text.ts'
import { createSignals } from '../../service/signals/create-signals.ts'
import { openRedis } from '../../service/stores/redis.ts'
import type { Project } from '../load-project.ts'
import { type Finding, failed, ok, skipped } from './finding.ts'

const NAME = 'key-value store'
/** What every section calls the URL of its store. */
const KEY = 'kvstore_url'

/** Each server that the options of a plugin in the list name, once. */
export async function examineStores({ list }: Project): Promise<readonly Finding[]> {
  const urls = new Set(list.listed.map(({ options }) => options[KEY]).filter((url) => typeof url === 'string'))
  if (urls.size === 0) return [skipped(NAME, 'no plugin of the list is told to use one')]
  return Promise.all([...urls].map(examineStore))
}

async function examineStore(url: string): Promise<Finding> {
  try {
    const redis = await openRedis(url, { signals: createSignals() })
    try {
      await redis.call('PING')
      return ok(NAME, `${redactText(url)} answers`)
    } finally {
      await redis.close()
    }
  } catch (error) {
    const cause = (error as Error).cause
    const reason = cause instanceof Error ? cause.message : (error as Error).message
    return failed(NAME, new Error(`${redactText(url)} cannot be reached: ${redactText(reason)}`))
  }
}
