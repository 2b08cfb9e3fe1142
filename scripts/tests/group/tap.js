/** What a file of a group gets as `tap`; the loader names the file behind the `?`. */
import { FILES } from './files.js'

export default FILES.get(decodeURIComponent(new URL(import.meta.url).search.slice(1)))
