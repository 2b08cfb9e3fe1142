import type { EntityShape } from '../../../core/index.ts'
import { compileTemplate, type Template } from '../change/template.ts'

/**
 * A URL with `{field}` behind its host. A row never says which host is called.
 * @throws Error with what is wrong
 */
export function compileUrl(source: string, shape: EntityShape): Template {
  if (!/^https?:\/\//i.test(source)) throw new Error('a URL begins with https:// or http://')
  if (/[{}]/.test(source) && !/^https?:\/\/[^/?#{}\\]+[/?#]/i.test(source)) {
    throw new Error('{field} may stand behind the host of a URL alone: who is called is not for a row to say')
  }
  const template = compileTemplate(source, { place: 'url', shape })
  if (!URL.canParse(source.replace(/\{[^{}]*\}/g, 'x'))) throw new Error('this is no URL')
  return template
}
