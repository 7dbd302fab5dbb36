/* The set-up page: shows the fields of a choice, and sends what was typed to test or to save it. */
'use strict';

(() => {
  const words = document.querySelector('main').dataset;
  const OTHER = '\u0000';

  for (const form of document.querySelectorAll('form')) {
    const row = (name) => form.querySelector(`[data-row="${name}"]`);
    const { address, key, model, list } = form.elements;
    const result = form.querySelector('.result');
    const kind = form.dataset.part === 'model' ? 'provider' : 'engine';
    const chosen = () => form.querySelector(`input[name="${kind}"]:checked`);

    // The fields of the chosen provider or engine.
    const follow = () => {
      const { value, dataset } = chosen();
      const isModel = kind === 'provider';
      row('address').hidden = isModel ? value !== 'other' : !('address' in dataset);
      row('key').hidden = isModel ? value === 'ollama' : dataset.needs !== 'key';
      address.value = dataset.address ?? '';
      key.value = '';
      key.placeholder = dataset.key ? words.keepKey : '';
      if (!isModel) return;
      const link = form.querySelector('a[data-keys]');
      link.hidden = !dataset.keys;
      if (dataset.keys) link.href = dataset.keys;
      link.textContent = words.makeKey;
      model.value = dataset.model ?? '';
      offer([]);
    };

    // The models of a server to choose from; none: a name is typed.
    const offer = (names) => {
      row('list').hidden = !names.length;
      row('model').hidden = names.length > 0;
      list.replaceChildren(...names.map((name) => new Option(name)), new Option(words.otherModel, OTHER));
      if (!names.length) return;
      if (!names.includes(model.value)) model.value = names[0];
      list.value = model.value;
    };
    list?.addEventListener('change', () => {
      const isOther = list.value === OTHER;
      row('model').hidden = !isOther;
      model.value = isOther ? '' : list.value;
      if (isOther) model.focus();
    });

    const send = async (what) => {
      const buttons = form.querySelectorAll('button');
      const fields = { ...Object.fromEntries(new FormData(form)), part: form.dataset.part, do: what };
      delete fields.list;
      const waiting = document.createElement('p');
      waiting.textContent = what === 'test' ? words.testing : words.saving;
      result.replaceChildren(waiting);
      for (const button of buttons) button.disabled = true;
      try {
        const headers = { 'content-type': 'application/json', 'x-setup-token': words.token };
        const answer = await fetch('/setup', { method: 'POST', headers, body: JSON.stringify(fields) });
        show(what, await answer.json());
      } catch {
        waiting.textContent = words.failed;
      }
      for (const button of buttons) button.disabled = false;
    };

    const show = (what, reply) => {
      result.innerHTML = reply.notes;   // made by the server, with all foreign text escaped
      if (reply.address) address.value = reply.address;
      if (what === 'test') {
        if (reply.models.length) { offer(reply.models); list.focus(); }
        return;
      }
      form.classList.toggle('is-saved', reply.ok);
      form.querySelector('.done').hidden = !reply.ok;
      if (!reply.ok) return;
      if (reply.now) form.querySelector('[data-now]').textContent = reply.now;
      if (key.value) {
        if (kind === 'provider') for (const other of form.elements.provider) delete other.dataset.key;   /* one key for all of them */
        chosen().dataset.key = 'set';
        key.value = '';
        key.placeholder = words.keepKey;
      }
      new BroadcastChannel('websearch').postMessage('set-up');   // an empty chat beside this page begins again
    };

    form.addEventListener('change', (event) => { if (event.target.name === kind) { follow(); result.replaceChildren(); } });
    form.addEventListener('submit', (event) => { event.preventDefault(); send('save'); });
    form.querySelector('[data-do="test"]').addEventListener('click', () => send('test'));
    follow();
  }
})();
