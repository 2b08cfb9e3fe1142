import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { requirePython } from '../helpers/python.ts'

const folder = fileURLToPath(new URL('../../python/', import.meta.url))

t.test('the tests of the Python package pass', { timeout: 300_000 }, async (t) => {
  const python = requirePython(t, 'pytest')
  if (python === null) return
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(python, ['-m', 'pytest'], { cwd: folder, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output: stdout + stderr })
    })
  })
  const passed = Number(/(\d+) passed/.exec(output)?.[1] ?? 0)
  t.equal(code, 0, code === 0 ? 'pytest' : output)
  t.ok(passed > 200, `${passed} passed`)
})
