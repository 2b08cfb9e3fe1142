import t from 'tap'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { read } from './source-files.ts'

t.test('the pass that finds required plugins names none', async (t) => {
  const text = read('core/compiler/passes/requires.ts')
  for (const { name } of listManifests()) t.notMatch(text, new RegExp(`['"\`]${name}['"\`]`), name)
})
