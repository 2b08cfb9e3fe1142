import t from 'tap'
import { listFiles, read } from './source-files.ts'

/** Files that may be longer than 250 lines, with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {}

const MEDIAN = 130
const MOST = 250

const sizes = [...listFiles('core', '.ts'), ...listFiles('plugins', '.ts'), ...listFiles('presets', '.ts')].map(
  (file) => ({
    file,
    lines: read(file).split('\n').length - 1,
  }),
)

t.test(`no file is longer than ${MOST} lines`, async (t) => {
  for (const { file, lines } of sizes) {
    if (EXEMPT[file] === undefined) t.ok(lines <= MOST, `${file}: ${lines} lines`)
  }
  for (const file of Object.keys(EXEMPT))
    t.ok(
      sizes.some((s) => s.file === file && s.lines > MOST),
      `${file} still needs its exemption`,
    )
})

t.test('the median file is about 100 lines', async (t) => {
  const sorted = sizes.map((s) => s.lines).sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]!
  t.ok(median <= MEDIAN, `median ${median}`)
})

t.test('file names are kebab-case', async (t) => {
  for (const { file } of sizes) t.match(file.split('/').pop(), /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?\.ts$/, file)
})
