import { readableSize } from '../../../routers/embed.js';
import { signInPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Check, Select } from '../components/form/choices.js';
import { Field, FileInput } from '../components/form/field.js';
import { Form, type FormState, ticked, typed, untouched } from '../components/form/form.js';
import { KeyField, lifetimes, NewPassword, Options, OwnAddress } from '../components/form/new-item.js';
import { Icon } from '../components/icon.js';
import { Tile } from '../components/item/media.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, CopyField } from '../components/parts.js';
import { fileLink } from '../image/media-kind.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { ListedImage } from '../records.js';

/** The upload page: a form for one file; with scripts a queue of files with progress. */
export function UploadPage({ site, state = untouched }: FormPageProps) {
  return (
    <Page site={site} title="Upload" scripts={['upload']}>
      <Heading
        title="Upload"
        lead={`Images, videos or any other files, up to ${readableSize(site.maxUploadBytes)} each.`}
      />
      <Form action="/web/image-upload" state={state} files script="upload" id="upload">
        {site.viewer === null && <KeyField site={site} />}
        <UploadOptions state={state} />
        <div class="drop" data-drop>
          <Icon name="bag" />
          <label for="file">
            <span class="choose">Choose files</span>
          </label>
          <p class="hint scripted">or drop them anywhere on this page, or paste from the clipboard</p>
          <FileInput lost={state.lost.includes('file')} required />
        </div>
        <ol class="queue" data-queue aria-label="Uploads" />
        <div class="actions" data-plain>
          <Submit icon="upload">Upload</Submit>
        </div>
      </Form>
      <template id="upload-row">
        <UploadRow site={site} />
      </template>
    </Page>
  );
}

function UploadOptions({ state }: { readonly state: FormState }) {
  const { errors } = state;
  return (
    <Options
      state={state}
      hint={
        <span class="hint scripted">Set these first: files are uploaded as soon as you choose them.</span>
      }
    >
      <div class="form">
        <div class="pair">
          <Field
            name="desc"
            label="Description"
            value={typed(state, 'desc')}
            error={errors.desc}
            maxLength={200}
            optional
          />
          <OwnAddress
            state={state}
            hint="Letters, digits, - and _. If you choose several files, only the first gets it."
          />
          <NewPassword state={state} />
          <Select
            name="expiresIn"
            label="Expires after"
            value={typed(state, 'expiresIn')}
            options={lifetimes}
          />
          <Field
            name="maxViews"
            type="number"
            label="View limit"
            value={typed(state, 'maxViews')}
            error={errors.maxViews}
            min={1}
            inputMode="numeric"
            hint="Playing a video may use several views; downloading it uses one."
            optional
          />
        </div>
        <Check name="private" label="Only I can see it" checked={ticked(state, 'private', false)} />
        <Check
          name="unpack"
          label="Unpack archives"
          hint="The images and videos in a zip or tar file become a playlist."
          checked={ticked(state, 'unpack', false)}
        />
      </div>
    </Options>
  );
}

/** A template that the upload script clones for each file. */
function UploadRow({ site }: PageProps) {
  return (
    <li>
      <span class="thumb" data-thumb>
        <Icon name="file" />
      </span>
      <div>
        <p class="name" dir="auto" data-name />
        <p class="state" data-state role="status" />
        <p class="hint" data-note hidden>
          Location and camera data may remain in this file: they cannot be removed from its format.
        </p>
        <progress data-progress max="1" value="0" aria-label="Progress" />
      </div>
      <span class="actions">
        <a class="button quiet" href="/web/library" data-open hidden>
          Open
        </a>
        <button type="button" class="button quiet" data-copy="" hidden>
          <Icon name="copy" />
          Copy link
        </button>
        <a class="button quiet" href={signInPath(site)} target="_blank" data-sign-in hidden rel="noopener">
          Sign in
        </a>
        <button type="button" class="button quiet" data-retry hidden>
          <Icon name="refresh" />
          Try again
        </button>
        <button type="button" class="button quiet" data-remove hidden>
          <Icon name="trash" />
          Remove
        </button>
        <button type="button" class="button quiet" data-cancel>
          <Icon name="x" />
          Cancel
        </button>
      </span>
    </li>
  );
}

/** The response to a form sent without scripts: the file with its links. */
export function UploadedPage({ site, image }: PageProps<{ readonly image: ListedImage }>) {
  const { urlSet } = image;
  return (
    <Page site={site} title="Uploaded">
      <Heading title="Uploaded">
        <LinkButton href="/web/image-upload" icon="upload">
          Upload more
        </LinkButton>
      </Heading>
      <Card>
        <div class="result">
          <ul>
            <Tile image={image} />
          </ul>
          <div class="copies">
            <CopyField label="Link" value={urlSet.userPreference ?? urlSet.shortUrl} />
            <CopyField label="Direct link" value={fileLink(image)} />
            {urlSet.deletionUrl && <CopyField label="Deletion link" value={urlSet.deletionUrl} />}
          </div>
        </div>
      </Card>
    </Page>
  );
}
