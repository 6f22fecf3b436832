/** Carries files from the page on which they were dropped to the upload page, in the storage of the browser. */
const [NAME, STORE, KEY] = ['holdall-dropped', 'files', 'dropped'];

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the storage of the browser failed'));
  });

async function store(): Promise<IDBDatabase> {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return asked(opening);
}

/** Keeps files for the next page; fails where the browser stores nothing. */
export async function carry(files: readonly File[]): Promise<void> {
  const database = await store();
  await asked(
    database
      .transaction(STORE, 'readwrite')
      .objectStore(STORE)
      .put([...files], KEY),
  );
  database.close();
}

/** The files that were kept, once. */
export async function carried(): Promise<File[]> {
  const database = await store();
  const place = database.transaction(STORE, 'readwrite').objectStore(STORE);
  const files = (await asked(place.get(KEY))) as File[] | undefined;
  await asked(place.delete(KEY));
  database.close();
  return files ?? [];
}
