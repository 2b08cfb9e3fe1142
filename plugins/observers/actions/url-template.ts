import type { EntityShape, ObservedChange } from '../../../core/doors/front.ts'
import { compileTemplate } from '../change/template.ts'

/** Where a call goes. */
export interface CallUrl {
  readonly text: string
  readonly host: string
  /** A value of the row makes a step up or down in its path. */
  readonly climbs: boolean
}

/**
 * A URL with `{field}` behind its host. A row never says which host is called.
 * @throws Error with what is wrong
 */
export function compileUrl(source: string, shape: EntityShape): (change: ObservedChange) => CallUrl {
  if (!/^https?:\/\//i.test(source)) throw new Error('a URL begins with https:// or http://')
  if (/[{}]/.test(source) && !/^https?:\/\/[^/?#{}\\]+[/?#]/i.test(source)) {
    throw new Error('{field} may stand behind the host of a URL alone: who is called is not for a row to say')
  }
  const template = compileTemplate(source, { place: 'url', shape })
  if (!URL.canParse(source.replace(/\{[^{}]*\}/g, 'x'))) throw new Error('this is no URL')
  if (/[{}]/.test(source)) return (change) => readUrl(template(change))
  const fixed = readUrl(source)
  return () => fixed
}

function readUrl(text: string): CallUrl {
  return { text, host: new URL(text).host, climbs: climbs(text) }
}

/** `.` and `..` cannot be written as a value: whoever reads a URL takes them, encoded or not, for steps in its path. */
function climbs(url: string): boolean {
  const [path = ''] = url.split(/[?#]/)
  return path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
}
